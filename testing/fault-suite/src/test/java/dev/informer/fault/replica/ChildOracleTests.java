/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.List;
import java.util.Set;

import dev.informer.fault.journal.Violation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChildOracle}.
 */
class ChildOracleTests {

	private static final Primary PRIMARY = new Primary("p", "gadget", true, false);

	private final ChildOracle oracle = new ChildOracle();

	@Test
	void oneAfterAnother_isNoViolation() {
		this.oracle.observe(List.of(child("a", 10)));
		this.oracle.observe(List.of());
		this.oracle.observe(List.of(child("b", 20)));
		this.oracle.observe(List.of(child("b", 20), new Child("c", "c", "other", 30)));
		assertVerdict(List.of(), List.of());
	}

	@Test
	void twoAtTheSameTime_areOneViolation() {
		List<Child> two = List.of(child("b", 20), child("a", 10));
		this.oracle.observe(two);
		this.oracle.observe(two);
		assertVerdict(List.of("two objects for one primary object"), List.of());
	}

	@Test
	void secondOfCallAfterRestore_isViolation() {
		this.oracle.restored(15, Set.of("c"));
		this.oracle.observe(List.of(child("a", 10), child("b", 20)));
		assertVerdict(List.of("two objects for one primary object"), List.of());
	}

	@Test
	void secondOfCallBeforeRestore_isReported() {
		this.oracle.restored(25, Set.of());
		this.oracle.observe(List.of(child("a", 10), child("b", 20)));
		assertVerdict(List.of(), List.of(ChildOracle.BEFORE_RESTORE));
	}

	@Test
	void secondBesideOneThatRestoreHasBroughtBack_isReported() {
		this.oracle.restored(15, Set.of("a"));
		this.oracle.observe(List.of(child("a", 10), child("b", 20)));
		assertVerdict(List.of(), List.of(ChildOracle.BROUGHT_BACK));
		this.oracle.observe(List.of(child("a", 10), child("b", 20), child("c", 30)));
		assertVerdict(List.of("two objects for one primary object"), List.of(ChildOracle.BROUGHT_BACK));
	}

	@Test
	void oneForEach_hasNoDifference() {
		assertThat(differences(PRIMARY, child("a", 10))).isEmpty();
	}

	@Test
	void whatIsMissingOrLeft_isDifference() {
		assertThat(differences(PRIMARY)).containsExactly("primary object without another object");
		assertThat(differences(new Primary("p", "gadget", false, false), child("a", 10)))
			.containsExactly("primary object without its finalizer");
		assertThat(differences(new Primary("p", "gadget", true, true), child("a", 10)))
			.containsExactly("primary object is still being deleted");
		assertThat(differences(new Primary("q", "gadget", true, false), new Child("a", "a", "q", 10), child("b", 10)))
			.containsExactly("object of a missing primary object");
	}

	private List<String> differences(Primary primary, Child... children) {
		return this.oracle.differences(List.of(primary), List.of(children)).stream().map(Violation::kind).toList();
	}

	private void assertVerdict(List<String> violations, List<String> reports) {
		assertThat(this.oracle.verdict().violations()).extracting(Violation::kind)
			.containsExactlyElementsOf(violations);
		assertThat(this.oracle.verdict().reports()).extracting(Violation::kind).containsExactlyElementsOf(reports);
	}

	private static Child child(String name, long call) {
		return new Child(name, name, "p", call);
	}

}
