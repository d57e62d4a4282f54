/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.client.ResourceType;

/**
 * Informer that an application requires or declares by properties.
 *
 * @param name the name of the informer
 * @param resourceType the resource
 * @param defaultOfType whether this informer is injected by the type of the objects alone
 */
record InformerDeclaration(String name, ResourceType<?> resourceType, boolean defaultOfType) {
}
