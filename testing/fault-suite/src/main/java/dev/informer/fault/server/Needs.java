/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.server;

import java.util.Map;

/**
 * Settings of a control plane and a client that scenarios share.
 *
 * @param flags the flags of kube-apiserver
 * @param controllers whether controllers run
 * @param secondServer whether a second API server uses the same etcd; the client then has
 * a token that both know and that cannot be revoked
 * @param heap the maximum heap of the client in megabytes
 * @param shiftedClock whether the clock of the client can be shifted
 * @param route the way in which the client finds the server and its token
 */
public record Needs(Map<String, String> flags, boolean controllers, boolean secondServer, int heap,
		boolean shiftedClock, Route route) {

	/** The settings of most scenarios. */
	public static final Needs DEFAULT = new Needs(Map.of(), false, false, 256, false, Route.ADDRESS);

	/**
	 * Return these settings with other flags of kube-apiserver.
	 */
	public Needs withFlags(Map<String, String> flags) {
		return new Needs(flags, this.controllers, this.secondServer, this.heap, this.shiftedClock, this.route);
	}

	/**
	 * Return these settings with controllers.
	 */
	public Needs withControllers() {
		return new Needs(this.flags, true, this.secondServer, this.heap, this.shiftedClock, this.route);
	}

	/**
	 * Return these settings with a second API server.
	 */
	public Needs withSecondServer() {
		return new Needs(this.flags, this.controllers, true, this.heap, this.shiftedClock, this.route);
	}

	/**
	 * Return these settings with another heap.
	 */
	public Needs withHeap(int megabytes) {
		return new Needs(this.flags, this.controllers, this.secondServer, megabytes, this.shiftedClock, this.route);
	}

	/**
	 * Return these settings with a clock of the client that can be shifted.
	 */
	public Needs withShiftedClock() {
		return new Needs(this.flags, this.controllers, this.secondServer, this.heap, true, this.route);
	}

	/**
	 * Return these settings with another way to the server.
	 * @param other the way
	 */
	public Needs withRoute(Route other) {
		return new Needs(this.flags, this.controllers, this.secondServer, this.heap, this.shiftedClock, other);
	}

	/**
	 * Way in which a client finds the server and its token.
	 */
	public enum Route {

		/** An address and a file with the token. */
		ADDRESS,

		/** A host name and a file with the token. */
		HOST_NAME,

		/** A kubeconfig with an exec plugin that returns the token. */
		PLUGIN

	}

}
