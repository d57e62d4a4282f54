/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builder of {@link ControlPlane}, reusable for several. Not thread-safe.
 */
public final class ControlPlaneBuilder {

	static final String ADMIN = "admin";

	private static final Logger logger = LoggerFactory.getLogger(ControlPlaneBuilder.class);

	private static final int PORT_ATTEMPTS = 5;

	private static final int DEFAULT_NODES = 3;

	private static final Pattern FLAG = Pattern.compile("[a-z][a-z0-9-]*");

	private final Assets assets;

	private final Map<String, TokenUser> users = new LinkedHashMap<>();

	private final Map<String, String> flags = new LinkedHashMap<>();

	private int nodes;

	ControlPlaneBuilder(Assets assets) {
		this.assets = assets;
		addUser(ADMIN, UUID.randomUUID().toString(), "system:masters");
	}

	/**
	 * Add a user who authenticates by a token. The user has almost no rights until roles
	 * are bound through RBAC.
	 * @param name the user's name, as the subject of a role binding names it
	 * @param token the bearer token
	 * @param groups the groups that the user is in
	 * @return this builder
	 * @throws IllegalArgumentException when there is such a user already, or a name has
	 * characters that the API server's token file cannot hold
	 */
	public ControlPlaneBuilder user(String name, String token, String... groups) {
		if (this.users.containsKey(name)) {
			throw new IllegalArgumentException("Cannot add user " + name + ": the user already exists");
		}
		addUser(name, token, groups);
		return this;
	}

	private void addUser(String name, String token, String... groups) {
		this.users.put(name, new TokenUser(name, token, List.of(groups)));
	}

	/**
	 * Set a command line flag of kube-apiserver in place of its default.
	 * @param name the flag's name without dashes, for instance {@code feature-gates}
	 * @param value the flag's value, for instance {@code WatchList=false}
	 * @return this builder
	 */
	public ControlPlaneBuilder apiServerFlag(String name, String value) {
		if (!FLAG.matcher(name).matches()) {
			throw new IllegalArgumentException(
					"Cannot set flag '%s'. Use the name without dashes and value, for example feature-gates."
						.formatted(name));
		}
		this.flags.put(name, value);
		return this;
	}

	/**
	 * Add a controller-manager, a scheduler and three nodes, so that Deployments roll out
	 * and pods run.
	 * @return this builder
	 */
	public ControlPlaneBuilder living() {
		return living(DEFAULT_NODES);
	}

	/**
	 * Add a controller-manager, a scheduler and nodes, so that Deployments roll out and
	 * pods run.
	 * @param nodes how many nodes there are, each with room for 110 pods
	 * @return this builder
	 */
	public ControlPlaneBuilder living(int nodes) {
		if (nodes < 1) {
			throw new IllegalArgumentException(
					"Cannot create a living cluster with " + nodes + " nodes. Use at least one.");
		}
		this.nodes = nodes;
		return this;
	}

	/**
	 * Start the control plane and wait until it is ready: about three seconds, five for a
	 * living one.
	 * @return the running control plane, to be closed by the caller
	 * @throws IllegalStateException when a binary is missing, or a server does not become
	 * ready; the message then shows the end of its log
	 */
	public ControlPlane start() {
		this.assets.require(this.nodes > 0);
		List<TokenUser> known = List.copyOf(this.users.values());
		return onFreePorts(() -> new ControlPlane(this.assets, ControlPlaneFolder.create(known), known,
				Map.copyOf(this.flags), this.nodes));
	}

	/**
	 * Start a control plane, and start it again if another process takes one of its
	 * ports.
	 */
	static ControlPlane onFreePorts(Supplier<ControlPlane> start) {
		for (int attempt = 1;; attempt++) {
			try {
				return start.get();
			}
			catch (IllegalStateException ex) {
				if (attempt == PORT_ATTEMPTS || !String.valueOf(ex.getMessage()).contains("address already in use")) {
					throw ex;
				}
				logger.atInfo().log("Lost a port to another process; restarting the control plane on other ports");
			}
		}
	}

}
