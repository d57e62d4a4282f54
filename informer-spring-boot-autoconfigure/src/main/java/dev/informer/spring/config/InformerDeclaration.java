/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.ResourceType;

/**
 * An informer of an application.
 *
 * @param name its name
 * @param resourceType its resource
 * @param defaultOfType whether it is the one that is meant when nothing but the type of
 * the objects is given
 */
record InformerDeclaration(String name, ResourceType<?> resourceType, boolean defaultOfType) {
}
