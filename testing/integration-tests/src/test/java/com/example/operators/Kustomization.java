/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Flux, with a Gson adapter of the user and status that is another class hierarchy.
 */
@CustomResource(group = "kustomize.toolkit.fluxcd.io", version = "v1", plural = "kustomizations")
class Kustomization implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	private Spec spec;

	private KustomizationStatus status;

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

	Spec spec() {
		return this.spec;
	}

	KustomizationStatus status() {
		this.status = (this.status != null) ? this.status : new KustomizationStatus();
		return this.status;
	}

	static class Spec {

		@JsonAdapter(Seconds.class)
		private Duration interval;

		@JsonAdapter(Seconds.class)
		private Duration timeout;

		private String path;

		private boolean prune;

		private Boolean wait;

		private String targetNamespace;

		private ObjectRef sourceRef;

		private List<Patch> patches = List.of();

		private ArrayList<ObjectRef> healthChecks;

		void timeout(Duration timeout) {
			this.timeout = timeout;
		}

	}

	static class ObjectRef {

		private String kind;

		private String name;

		private String namespace;

	}

	static class Patch {

		private String patch;

		private ObjectRef target;

	}

	abstract static class Observed {

		private Long observedGeneration;

		void observedGeneration(Long observedGeneration) {
			this.observedGeneration = observedGeneration;
		}

	}

	static class KustomizationStatus extends Observed {

		private List<V1Condition> conditions;

		private Inventory inventory;

		private String lastAppliedRevision;

		void conditions(List<V1Condition> conditions) {
			this.conditions = conditions;
		}

		void inventory(List<Entry> entries) {
			this.inventory = new Inventory(entries);
		}

	}

	record Inventory(List<Entry> entries) {
	}

	record Entry(String id, String v) {
	}

	/**
	 * Durations such as {@code 10m}.
	 */
	static class Seconds extends TypeAdapter<Duration> {

		@Override
		public Duration read(JsonReader in) throws IOException {
			return Duration.parse("PT" + in.nextString());
		}

		@Override
		public void write(JsonWriter out, Duration value) throws IOException {
			out.value((value != null) ? value.toMinutes() + "m" : null);
		}

	}

}
