/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Part of an object that a write may change.
 */
enum UpdateScope {

	/**
	 * Everything except the status, if the resource has a status subresource.
	 */
	OBJECT {

		@Override
		ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			return definition.status() ? withStatusOf(candidate, previous) : candidate;
		}

	},

	/**
	 * The status only.
	 */
	STATUS {

		@Override
		ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			return withStatusOf(previous.deepCopy(), candidate);
		}

	},

	/**
	 * The whole object at once, which only the Java API can do.
	 */
	EVERYTHING {

		@Override
		ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			return candidate;
		}

	};

	abstract ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate);

	private static ObjectNode withStatusOf(ObjectNode target, ObjectNode source) {
		JsonNode status = source.get("status");
		if (status != null) {
			target.set("status", status);
		}
		else {
			target.remove("status");
		}
		return target;
	}

}
