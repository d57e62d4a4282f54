/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rights;

import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1SubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SubjectAccessReviewSpec;
import tools.jackson.databind.JsonNode;

/**
 * Question of the API server, whether a user may do something.
 *
 * @param name the name of the object; empty for none, as also for other texts
 */
record Question(String user, String verb, String group, String resource, String subresource, String namespace,
		String name) {

	static Question of(JsonNode spec) {
		JsonNode attributes = spec.path("resourceAttributes");
		return new Question(spec.path("user").asString(""), attributes.path("verb").asString(""),
				attributes.path("group").asString(""), attributes.path("resource").asString(""),
				attributes.path("subresource").asString(""), attributes.path("namespace").asString(""),
				attributes.path("name").asString(""));
	}

	String qualifiedResource() {
		return this.subresource.isEmpty() ? this.resource : this.resource + "/" + this.subresource;
	}

	V1SubjectAccessReview review() {
		V1ResourceAttributes attributes = new V1ResourceAttributes().verb(this.verb)
			.group(this.group)
			.resource(this.resource)
			.subresource(this.subresource)
			.namespace(this.namespace)
			.name(this.name);
		return new V1SubjectAccessReview().spec(new V1SubjectAccessReviewSpec().user(this.user)
			.addGroupsItem("system:authenticated")
			.resourceAttributes(attributes));
	}

}
