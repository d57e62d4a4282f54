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
 * How an embedded server behaves. Not thread-safe; read once, at start.
 */
public final class EmbeddedKubernetesOptions {

	private int port;

	private Duration bookmarkInterval = Duration.ofSeconds(60);

	private Duration watchTimeout = Duration.ofMinutes(45);

	private int historySize = 10_000;

	private boolean streamingLists = true;

	private @Nullable String token;

	private final Map<String, Access.User> users = new LinkedHashMap<>();

	EmbeddedKubernetesOptions() {
	}

	/**
	 * The loopback port to listen on. Default: any free one from 15,000 to 31,999, where
	 * no outgoing connection can be in its way when the server listens again after it
	 * refused connections.
	 * @param port the port, 0 for any free one
	 * @return this
	 */
	public EmbeddedKubernetesOptions port(int port) {
		this.port = port;
		return this;
	}

	/**
	 * How often a watch that asked for bookmarks gets one. Default: a minute, as the real
	 * server.
	 * @param bookmarkInterval the time between two bookmarks
	 * @return this
	 */
	public EmbeddedKubernetesOptions bookmarkInterval(Duration bookmarkInterval) {
		if (bookmarkInterval.isNegative() || bookmarkInterval.isZero()) {
			throw new IllegalArgumentException("bookmarkInterval must be positive, but is " + bookmarkInterval);
		}
		this.bookmarkInterval = bookmarkInterval;
		return this;
	}

	/**
	 * When a watch ends that sets no {@code timeoutSeconds}. Default: 45 minutes.
	 * @param watchTimeout the time after which it ends
	 * @return this
	 */
	public EmbeddedKubernetesOptions watchTimeout(Duration watchTimeout) {
		if (watchTimeout.isNegative() || watchTimeout.isZero()) {
			throw new IllegalArgumentException("watchTimeout must be positive, but is " + watchTimeout);
		}
		this.watchTimeout = watchTimeout;
		return this;
	}

	/**
	 * How many changes of each resource are remembered. A watch or a page that needs an
	 * older one is answered with 410. Default: 10,000.
	 * @param historySize the number of changes
	 * @return this
	 */
	public EmbeddedKubernetesOptions historySize(int historySize) {
		if (historySize < 1) {
			throw new IllegalArgumentException("historySize must be at least 1, but is " + historySize);
		}
		this.historySize = historySize;
		return this;
	}

	/**
	 * Whether streaming lists ({@code sendInitialEvents}) are served. Default: yes. When
	 * not, they are answered with 422, as a server does whose {@code WatchList} feature
	 * is off.
	 * @param streamingLists whether they are served
	 * @return this
	 */
	public EmbeddedKubernetesOptions streamingLists(boolean streamingLists) {
		this.streamingLists = streamingLists;
		return this;
	}

	/**
	 * The bearer token that every request has to carry, unless there are users, too.
	 * Whoever has it may do everything. Default: none is needed.
	 * @param token the token
	 * @return this
	 */
	public EmbeddedKubernetesOptions token(String token) {
		this.token = token;
		return this;
	}

	/**
	 * Adds a user, whom the server knows by a token. As soon as there is one, or a
	 * {@link #token}, requests that carry no token known to the server are answered with
	 * 401, and what their user may not do with 403. The methods of
	 * {@link EmbeddedKubernetes} itself may do everything.
	 * @param name the user's name
	 * @param token the bearer token
	 * @param rules what the user may do, until {@link EmbeddedKubernetes#access()} is
	 * told otherwise
	 * @return this
	 * @throws IllegalArgumentException when there is such a user already
	 */
	public EmbeddedKubernetesOptions user(String name, String token, AccessRule... rules) {
		if (name.equals(Access.OWNER) || this.users.containsKey(name)) {
			throw new IllegalArgumentException("There is a user \"" + name + "\" already; choose another name");
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

	@Nullable String token() {
		return this.token;
	}

	Map<String, Access.User> users() {
		return this.users;
	}

}
