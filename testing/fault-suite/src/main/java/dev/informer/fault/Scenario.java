/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.util.EnumSet;
import java.util.Set;

import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.Needs;

/**
 * Fault, injected while objects change.
 *
 * @param name the name in tables and options
 * @param bar the bar for the recovery
 * @param needs the settings of the control plane and the client
 * @param traits what the oracle has to know
 * @param resources the resources whose informers are affected
 * @param action injects the fault and returns when it has ended
 */
record Scenario(String name, Bar bar, Needs needs, Set<Trait> traits, Set<WatchedResource> resources, Action action) {

	static Scenario of(String name, Bar bar, Action action) {
		return new Scenario(name, bar, Needs.DEFAULT, EnumSet.noneOf(Trait.class), WatchedResource.ofEveryClient(),
				action);
	}

	Scenario with(Trait first, Trait... rest) {
		return new Scenario(this.name, this.bar, this.needs, EnumSet.of(first, rest), this.resources, this.action);
	}

	Scenario with(Needs other) {
		return new Scenario(this.name, this.bar, other, this.traits, this.resources, this.action);
	}

	Scenario affecting(WatchedResource resource) {
		return new Scenario(this.name, this.bar, this.needs, this.traits, EnumSet.of(resource), this.action);
	}

	boolean has(Trait trait) {
		return this.traits.contains(trait);
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Trait of a scenario.
	 */
	enum Trait {

		/** The client gets to see the fault at once, as with a refused connection. */
		NOTICED,

		/** The server answers no request during the fault. */
		SILENT_SERVER,

		/** The data of the server go back to a backup. */
		ROLLBACK,

		/** The client cannot answer during the fault. */
		FROZEN_CLIENT,

		/** The client ends in the scenario. */
		ENDS_CLIENT

	}

	/**
	 * Injection of a fault.
	 */
	interface Action {

		/**
		 * Inject the fault, and return when the server can serve again.
		 * @param stage the servers, the client and the network between them
		 */
		void run(Stage stage) throws Exception;

	}

}
