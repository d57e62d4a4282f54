/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of cert-manager, as a bean: private fields with getters and setters, empty collections
 * by default, an enum whose names are no identifiers.
 */
@CustomResource(group = "cert-manager.io", version = "v1", plural = "certificates")
class Certificate implements KubernetesObject {

	private String apiVersion = "cert-manager.io/v1";

	private String kind = "Certificate";

	private V1ObjectMeta metadata;

	private Spec spec = new Spec();

	private Status status = new Status();

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	public Spec getSpec() {
		return this.spec;
	}

	public Status getStatus() {
		return this.status;
	}

	public static class Spec {

		private List<String> dnsNames = new ArrayList<>();

		private IssuerRef issuerRef;

		private String secretName;

		private Set<Usage> usages;

		public void setUsages(Set<Usage> usages) {
			this.usages = usages;
		}

	}

	public static class IssuerRef {

		private String group;

		private String kind;

		private String name;

	}

	public static class Status {

		private List<V1Condition> conditions = new ArrayList<>();

		private OffsetDateTime notAfter;

		private Integer revision;

		public List<V1Condition> getConditions() {
			return this.conditions;
		}

		public void setNotAfter(OffsetDateTime notAfter) {
			this.notAfter = notAfter;
		}

		public void setRevision(Integer revision) {
			this.revision = revision;
		}

	}

	public enum Usage {

		@SerializedName("signing")
		SIGNING,

		@SerializedName("digital signature")
		DIGITAL_SIGNATURE,

		@SerializedName("server auth")
		SERVER_AUTH

	}

}
