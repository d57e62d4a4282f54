/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Fault of replicas, their network, clocks or API server.
 *
 * @param <S> the type of the stage
 * @param name the unique name
 * @param outcome the expected outcome
 * @param action injects the fault
 * @param secondServer whether it needs a second API server
 */
record Fault<S extends ReplicaStage>(String name, Outcome outcome, Action<S> action, boolean secondServer) {

	Fault(String name, Outcome outcome, Action<S> action) {
		this(name, outcome, action, false);
	}

	/**
	 * Return the faults with one of the names. A word that is no name stands for all
	 * names that begin with it.
	 * @param words the words; empty for all faults
	 */
	static <S extends ReplicaStage> List<Fault<S>> matching(List<Fault<S>> all, List<String> words) {
		if (words.isEmpty()) {
			return all;
		}
		Set<String> selected = new HashSet<>();
		for (String word : words) {
			List<String> names = all.stream().map(Fault::name).filter((name) -> name.startsWith(word)).toList();
			if (names.isEmpty()) {
				throw new IllegalArgumentException("Unknown fault '" + word + "'. Use one of " + all);
			}
			selected.addAll(names.contains(word) ? List.of(word) : names);
		}
		return all.stream().filter((fault) -> selected.contains(fault.name())).toList();
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Injection of a fault.
	 *
	 * @param <S> the type of the stage
	 */
	interface Action<S extends ReplicaStage> {

		/**
		 * Inject the fault, and return when its effects can be judged. What is not undone
		 * then is undone by the suite.
		 */
		void run(S stage) throws Exception;

	}

}
