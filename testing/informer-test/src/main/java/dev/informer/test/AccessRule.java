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
 * Something that a user may do. Immutable.
 * <p>
 * Verbs are those of Kubernetes ({@code list}, {@code watch}, {@code get},
 * {@code create}, {@code update}, {@code patch}, {@code delete},
 * {@code deletecollection}); resources are named as everywhere in this package
 * ({@code pods}, {@code deployments.apps}), their status {@code deployments.apps/status}.
 * {@code *} stands for all verbs or all resources.
 *
 * @param verbs the verbs
 * @param resources the resources
 * @param namespaces the namespaces; empty for all of them and the cluster itself
 */
public record AccessRule(Set<String> verbs, Set<String> resources, Set<String> namespaces) {

	private static final String ALL = "*";

	private static final Set<String> VERBS = Arrays.stream(Verb.values())
		.filter((verb) -> verb != Verb.OTHER)
		.map(AccessRule::name)
		.collect(Collectors.toUnmodifiableSet());

	/**
	 * Checks and copies what is given.
	 * @throws IllegalArgumentException when there is no such verb
	 */
	public AccessRule {
		verbs = Set.copyOf(verbs);
		resources = Set.copyOf(resources);
		namespaces = Set.copyOf(namespaces);
		for (String verb : verbs) {
			if (!verb.equals(ALL) && !VERBS.contains(verb)) {
				throw new IllegalArgumentException(
						"There is no verb \"" + verb + "\"; there are * and " + VERBS.stream().sorted().toList());
			}
		}
	}

	/**
	 * Begins a rule about nothing yet.
	 * @param verbs the verbs
	 * @return a rule that allows these verbs on what {@link #on} adds, everywhere
	 * @throws IllegalArgumentException when there is no such verb
	 */
	public static AccessRule allow(String... verbs) {
		return new AccessRule(Set.of(verbs), Set.of(), Set.of());
	}

	/**
	 * Allows everything, as {@code cluster-admin} does.
	 * @return the rule
	 */
	public static AccessRule everything() {
		return allow(ALL).on(ALL);
	}

	/**
	 * The same rule about resources.
	 * @param names the resources, in place of earlier ones
	 * @return the rule
	 */
	public AccessRule on(String... names) {
		return new AccessRule(this.verbs, Set.of(names), this.namespaces);
	}

	/**
	 * The same rule for namespaces alone, as a Role in place of a ClusterRole.
	 * @param names the namespaces, in place of earlier ones
	 * @return the rule
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
