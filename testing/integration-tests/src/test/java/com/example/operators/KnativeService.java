/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.net.URI;
import java.time.OffsetDateTime;
import java.util.LinkedList;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;

/**
 * Of Knative, with the generic base class and a subclass of an official model.
 */
@CustomResource(group = "serving.knative.dev", version = "v1", plural = "services", kind = "Service")
class KnativeService extends Resource<KnativeService.Spec, KnativeService.Status> {

	static class Spec {

		private Template template = new Template();

		Template template() {
			return this.template;
		}

	}

	static class Template {

		private V1ObjectMeta metadata;

		private RevisionSpec spec;

		RevisionSpec spec() {
			return this.spec;
		}

	}

	static class RevisionSpec extends V1PodSpec {

		private Long containerConcurrency;

		void containerConcurrency(long containerConcurrency) {
			this.containerConcurrency = containerConcurrency;
		}

	}

	static class Status {

		private final LinkedList<Condition> conditions = new LinkedList<>();

		private URI url;

		private Address address;

		private long observedGeneration;

		LinkedList<Condition> conditions() {
			return this.conditions;
		}

		void address(URI url, String certificates) {
			this.url = url;
			this.address = new Address();
			this.address.certificates = certificates;
		}

	}

	static class Address {

		@SerializedName(value = "CACerts", alternate = "caCerts")
		private String certificates;

	}

	static class Condition {

		String type;

		String status;

		OffsetDateTime lastTransitionTime;

		Condition() {
		}

		Condition(String type, String status, OffsetDateTime lastTransitionTime) {
			this.type = type;
			this.status = status;
			this.lastTransitionTime = lastTransitionTime;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Condition condition && condition.type.equals(this.type);
		}

		@Override
		public int hashCode() {
			return this.type.hashCode();
		}

	}

}
