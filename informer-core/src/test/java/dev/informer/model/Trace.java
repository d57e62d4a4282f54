/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What has happened in a {@link ModelRun}, in order, and the first thing that must not
 * have.
 */
final class Trace {

	private final List<String> lines = new ArrayList<>();

	private @Nullable String problem;

	void note(String what) {
		this.lines.add(what);
	}

	/**
	 * Notes that a rule is violated. Only the first time counts.
	 */
	void problem(String rule, Object... details) {
		if (this.problem == null) {
			this.problem = String.format(rule, details);
			this.lines.add("!! " + this.problem);
		}
	}

	/**
	 * Notes that a rule is violated unless a condition holds.
	 */
	void check(boolean condition, String rule, Object... details) {
		if (!condition) {
			problem(rule, details);
		}
	}

	/**
	 * The first rule that was violated; {@code null} when all is well.
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
