/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.util.List;

import dev.informer.benchmarks.client.ClientProcess;

/**
 * Task of a client.
 *
 * @param main the main class of the separate JVM
 * @param server the settings of the server
 * @param flags the flags of the JVM
 * @param objects the number of objects
 * @param updates the number of updates
 * @param arguments further arguments of the client
 */
record Task(Class<?> main, String server, List<String> flags, int objects, int updates, List<String> arguments) {

	/**
	 * Create a task without further arguments.
	 */
	Task(Class<?> main, String server, List<String> flags, int objects, int updates) {
		this(main, server, flags, objects, updates, List.of());
	}

	/**
	 * Return the task of syncing pods and handling their updates.
	 */
	static Task sync(RunOptions options) {
		return new Task(ClientProcess.class, "pods=" + options.pods() + "&" + options.network(),
				List.of("-Xmx" + options.heap()), options.pods(), options.updates());
	}

	Task updates(int updates) {
		return new Task(this.main, this.server, this.flags, this.objects, updates, this.arguments);
	}

	Task flags(String... flags) {
		return new Task(this.main, this.server, List.of(flags), this.objects, this.updates, this.arguments);
	}

}
