/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Trace of a {@link ModelRun}: its events, in order, and the first violation of a rule.
 */
final class Trace {

	private final List<String> lines = new ArrayList<>();

	private @Nullable String problem;

	void note(String what) {
		this.lines.add(what);
	}

	/**
	 * Record the violation of a rule. Only the first one counts.
	 */
	void problem(String rule, Object... details) {
		if (this.problem == null) {
			this.problem = String.format(rule, details);
			this.lines.add("!! " + this.problem);
		}
	}

	/**
	 * Record the violation of a rule unless a condition holds.
	 */
	void check(boolean condition, String rule, Object... details) {
		if (!condition) {
			problem(rule, details);
		}
	}

	/**
	 * Return the first violation; {@code null} if all rules hold.
	 */
	@Nullable String problem() {
		return this.problem;
	}

	List<String> lines() {
		return this.lines;
	}

	@Override
	public String toString() {
		return String.join(System.lineSeparator(), this.lines);
	}

}
