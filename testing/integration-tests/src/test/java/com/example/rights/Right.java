/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rights;

import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1PolicyRule;
import org.jspecify.annotations.Nullable;

/**
 * Right that cannot be divided: one verb on the objects of one resource, or on one of
 * them.
 *
 * @param namespace the namespace; empty for all
 * @param role the name of the role
 * @param resource the plural, also with a subresource
 * @param name the name of the object; {@code null} for all
 */
record Right(String namespace, String role, String verb, String group, String resource, @Nullable String name) {

	static Stream<Right> of(String namespace, String role, V1PolicyRule rule) {
		Stream<@Nullable String> names = (rule.getResourceNames() == null || rule.getResourceNames().isEmpty())
				? Stream.ofNullable("").map((all) -> null) : rule.getResourceNames().stream().map((name) -> name);
		String group = rule.getApiGroups().get(0);
		return names.flatMap((name) -> rule.getResources()
			.stream()
			.flatMap((resource) -> rule.getVerbs()
				.stream()
				.map((verb) -> new Right(namespace, role, verb, group, resource, name))));
	}

	V1PolicyRule rule() {
		V1PolicyRule rule = new V1PolicyRule().addVerbsItem(this.verb)
			.addApiGroupsItem(this.group)
			.addResourcesItem(this.resource);
		return (this.name != null) ? rule.addResourceNamesItem(this.name) : rule;
	}

	/**
	 * Return whether the right may permit what is asked; the API server decides.
	 */
	boolean mayPermit(Question question) {
		return this.verb.equals(question.verb()) && this.group.equals(question.group())
				&& this.resource.equals(question.qualifiedResource())
				&& (this.namespace.isEmpty() || this.namespace.equals(question.namespace()))
				&& (this.name == null || this.name.equals(question.name()));
	}

}
