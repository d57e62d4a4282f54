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
 * @param living whether controllers run
 * @param staticToken whether the client has a token of a file of the API server instead
 * of a service account, whose tokens can be revoked
 * @param heap the maximum heap of the client in megabytes
 */
public record Needs(Map<String, String> flags, boolean living, boolean staticToken, int heap) {

	/** The settings of most scenarios. */
	public static final Needs DEFAULT = new Needs(Map.of(), false, false, 256);

	/**
	 * Return these settings with a flag of kube-apiserver.
	 * @param name the name of the flag
	 * @param value the value of the flag
	 * @return the settings
	 */
	public Needs flag(String name, String value) {
		return new Needs(Map.of(name, value), this.living, this.staticToken, this.heap);
	}

	/**
	 * Return these settings with controllers.
	 * @return the settings
	 */
	public Needs withControllers() {
		return new Needs(this.flags, true, this.staticToken, this.heap);
	}

	/**
	 * Return these settings with a token that cannot be revoked.
	 * @return the settings
	 */
	public Needs withStaticToken() {
		return new Needs(this.flags, this.living, true, this.heap);
	}

	/**
	 * Return these settings with another heap.
	 * @param megabytes the maximum heap of the client
	 * @return the settings
	 */
	public Needs withHeap(int megabytes) {
		return new Needs(this.flags, this.living, this.staticToken, megabytes);
	}

}
