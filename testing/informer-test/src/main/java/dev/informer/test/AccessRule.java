/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Permission of a user. Immutable.
 * <p>
 * Verbs are those of Kubernetes ({@code list}, {@code watch}, {@code get}, {@code
 * create}, {@code update}, {@code patch}, {@code delete}, {@code deletecollection}).
 * Resources are named by plural and group ({@code pods}, {@code deployments.apps}), their
 * status by {@code deployments.apps/status}. {@code *} matches all verbs or all
 * resources.
 *
 * @param verbs the verbs
 * @param resources the resources
 * @param namespaces the namespaces; empty for all namespaces and cluster-scoped resources
 */
public record AccessRule(Set<String> verbs, Set<String> resources, Set<String> namespaces) {

	private static final String ALL = "*";

	private static final Set<String> VERBS = Arrays.stream(Verb.values())
		.filter((verb) -> verb != Verb.OTHER)
		.map(AccessRule::name)
		.collect(Collectors.toUnmodifiableSet());

	/**
	 * Create a rule with copies of the given sets.
	 * @throws IllegalArgumentException if a verb is unknown
	 */
	public AccessRule {
		verbs = Set.copyOf(verbs);
		resources = Set.copyOf(resources);
		namespaces = Set.copyOf(namespaces);
		for (String verb : verbs) {
			if (!verb.equals(ALL) && !VERBS.contains(verb)) {
				throw new IllegalArgumentException(
						"Unknown verb \"" + verb + "\". Use * or one of " + VERBS.stream().sorted().toList());
			}
		}
	}

	/**
	 * Create a rule for verbs. It allows nothing until {@link #on} adds resources.
	 * @param verbs the verbs
	 * @return the rule, for all namespaces
	 * @throws IllegalArgumentException if a verb is unknown
	 */
	public static AccessRule allow(String... verbs) {
		return new AccessRule(Set.of(verbs), Set.of(), Set.of());
	}

	/**
	 * Create a rule that allows everything, like {@code cluster-admin}.
	 * @return the rule
	 */
	public static AccessRule everything() {
		return allow(ALL).on(ALL);
	}

	/**
	 * Return a copy of this rule for the given resources.
	 * @param names the resources, which replace earlier ones
	 * @return the copy
	 */
	public AccessRule on(String... names) {
		return new AccessRule(this.verbs, Set.of(names), this.namespaces);
	}

	/**
	 * Return a copy of this rule for the given namespaces only, like a Role in place of a
	 * ClusterRole.
	 * @param names the namespaces, which replace earlier ones
	 * @return the copy
	 */
	public AccessRule in(String... names) {
		return new AccessRule(this.verbs, this.resources, Set.of(names));
	}

	boolean allows(Verb verb, String resource, String namespace) {
		return contains(this.verbs, name(verb)) && contains(this.resources, resource)
				&& (this.namespaces.isEmpty() || this.namespaces.contains(namespace));
	}

	private static boolean contains(Set<String> names, String name) {
		return names.contains(name) || names.contains(ALL);
	}

	private static String name(Verb verb) {
		return verb.name().toLowerCase(Locale.ROOT);
	}

}
