/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Set;

import dev.informer.client.ResourceType;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.InformerProperties.DeclaredResource;
import dev.informer.spring.config.InformerProperties.Write;
import dev.informer.spring.config.InformerProperties.Writer;
import dev.informer.writer.ObjectWrite.Operation;

/**
 * Writes of the objects of a resource that the properties of an application declare.
 */
public record DeclaredWrite(ResourceType<?> resourceType, Set<Operation> operations, List<String> namespaces,
		boolean withOwner) {

	static final String PREFIX = "informer.writer.writes.";

	/**
	 * Return the writes of an application.
	 * @throws InvalidInformerPropertyException if there is no such resource, or no
	 * operation
	 */
	public static List<DeclaredWrite> of(Writer writer) {
		ResourceResolver resolver = new ResourceResolver(PREFIX, List.of());
		return writer.writes()
			.entrySet()
			.stream()
			.map((entry) -> of(entry.getKey(), entry.getValue(), resolver))
			.toList();
	}

	private static DeclaredWrite of(String name, Write write, ResourceResolver resolver) {
		ResourceType<?> resourceType = resolver.resolve(name,
				new DeclaredResource(write.resource(), write.type(), false));
		if (write.operations().isEmpty()) {
			throw new InvalidInformerPropertyException(PREFIX + name + ".operations", "it names no operation",
					"Name at least one of create, apply, update, update-status, patch and delete.");
		}
		return new DeclaredWrite(resourceType, write.operations(), write.namespaces(), write.withOwner());
	}

}
