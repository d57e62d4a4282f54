/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which part of an object a write may change.
 */
enum UpdateScope {

	/** All but the status, where the resource has a status subresource. */
	OBJECT {

		@Override
		ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			return definition.status() ? withStatusOf(candidate, previous) : candidate;
		}

	},

	/** The status alone. */
	STATUS {

		@Override
		ObjectNode combine(ResourceDefinition definition, ObjectNode previous, ObjectNode candidate) {
			return withStatusOf(previous.deepCopy(), candidate);
		}

	},

	/** Everything in one step, which only the Java API can do. */
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
