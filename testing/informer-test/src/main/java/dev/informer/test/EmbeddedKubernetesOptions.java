/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Options of an embedded server, read once at its start. Not thread-safe.
 */
public final class EmbeddedKubernetesOptions {

	private int port;

	private Duration bookmarkInterval = Duration.ofSeconds(60);

	private Duration watchTimeout = Duration.ofMinutes(45);

	private int historySize = 10_000;

	private boolean streamingLists = true;

	private boolean garbageCollection = true;

	private @Nullable String token;

	private final Map<String, Access.User> users = new LinkedHashMap<>();

	EmbeddedKubernetesOptions() {
	}

	/**
	 * Set the loopback port. The default is any free port from 15,000 to 31,999. Ports in
	 * this range are not assigned to outgoing connections, so that a server can listen
	 * again on its port after it refused connections.
	 * @param port the port, 0 for any free one
	 * @return this instance
	 */
	public EmbeddedKubernetesOptions port(int port) {
		this.port = port;
		return this;
	}

	/**
	 * Set the interval between the bookmarks of a watch that requests them. The default
	 * is one minute, as on the real server.
	 * @param bookmarkInterval the interval, more than zero
	 * @return this instance
	 */
	public EmbeddedKubernetesOptions bookmarkInterval(Duration bookmarkInterval) {
		if (bookmarkInterval.isNegative() || bookmarkInterval.isZero()) {
			throw new IllegalArgumentException("bookmarkInterval must be positive, but is " + bookmarkInterval);
		}
		this.bookmarkInterval = bookmarkInterval;
		return this;
	}

	/**
	 * Set the duration of a watch that requests no {@code timeoutSeconds}. The default is
	 * 45 minutes.
	 * @param watchTimeout the duration, more than zero
	 * @return this instance
	 */
	public EmbeddedKubernetesOptions watchTimeout(Duration watchTimeout) {
		if (watchTimeout.isNegative() || watchTimeout.isZero()) {
			throw new IllegalArgumentException("watchTimeout must be positive, but is " + watchTimeout);
		}
		this.watchTimeout = watchTimeout;
		return this;
	}

	/**
	 * Set the number of past changes that are kept per resource. A watch or a page that
	 * needs an older change is answered with 410. The default is 10,000.
	 * @param historySize the number of changes, at least 1
	 * @return this instance
	 */
	public EmbeddedKubernetesOptions historySize(int historySize) {
		if (historySize < 1) {
			throw new IllegalArgumentException("historySize must be at least 1, but is " + historySize);
		}
		this.historySize = historySize;
		return this;
	}

	/**
	 * Set whether streaming lists ({@code sendInitialEvents}) are served. If not, they
	 * are answered with 422, as by a server whose {@code WatchList} feature gate is
	 * disabled. They are served by default.
	 * @param streamingLists whether streaming lists are served
	 * @return this instance
	 */
	public EmbeddedKubernetesOptions streamingLists(boolean streamingLists) {
		this.streamingLists = streamingLists;
		return this;
	}

	/**
	 * Set whether objects are deleted whose owners do not exist, as in a cluster with
	 * kube-controller-manager. They are by default, before the request that deletes the
	 * last owner is answered. Objects that the methods of {@link EmbeddedKubernetes}
	 * write may name owners that have never existed.
	 * @param garbageCollection whether objects without owners are deleted
	 * @return this instance
	 */
	public EmbeddedKubernetesOptions garbageCollection(boolean garbageCollection) {
		this.garbageCollection = garbageCollection;
		return this;
	}

	/**
	 * Set a bearer token that grants all permissions. Requests without it are answered
	 * with 401, except those of a {@link #user user}. No token is required by default.
	 * @param token the token
	 * @return this instance
	 */
	public EmbeddedKubernetesOptions token(String token) {
		this.token = token;
		return this;
	}

	/**
	 * Add a user. With a user or a {@link #token}, the server answers requests without a
	 * known token with 401, and requests without the required permission with 403. The
	 * methods of {@link EmbeddedKubernetes} itself are always allowed.
	 * @param name the name of the user
	 * @param token the bearer token
	 * @param rules the initial permissions, see {@link EmbeddedKubernetes#access()}
	 * @return this instance
	 * @throws IllegalArgumentException if the user exists already
	 */
	public EmbeddedKubernetesOptions user(String name, String token, AccessRule... rules) {
		if (name.equals(Access.OWNER) || this.users.containsKey(name)) {
			throw new IllegalArgumentException(
					"Cannot add user \"" + name + "\": it exists already. Choose another name.");
		}
		this.users.put(name, new Access.User(token, List.of(rules)));
		return this;
	}

	int port() {
		return this.port;
	}

	Duration bookmarkInterval() {
		return this.bookmarkInterval;
	}

	Duration watchTimeout() {
		return this.watchTimeout;
	}

	int historySize() {
		return this.historySize;
	}

	boolean streamingLists() {
		return this.streamingLists;
	}

	boolean garbageCollection() {
		return this.garbageCollection;
	}

	@Nullable String token() {
		return this.token;
	}

	Map<String, Access.User> users() {
		return this.users;
	}

}
