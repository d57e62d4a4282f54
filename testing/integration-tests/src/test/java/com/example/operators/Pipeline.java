/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.List;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Tekton, whose spec contains itself, with values of any type and words of Java.
 */
@CustomResource(group = "tekton.dev", version = "v1", plural = "pipelines")
public class Pipeline implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata;

	private Spec spec;

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

	static class Named {

		private String name;

		private String displayName;

		private String description;

		void name(String name) {
			this.name = name;
		}

		void description(String description) {
			this.description = description;
		}

	}

	static class Spec extends Named {

		private List<Param> params;

		private List<Task> tasks;

		private List<Named> workspaces;

		@SerializedName("finally")
		private List<Task> last;

		private List<Result> results;

		void last(List<Task> last) {
			this.last = last;
		}

		void results(List<Result> results) {
			this.results = results;
		}

	}

	static class Task extends Named {

		private Map<String, String> taskRef;

		private Map<String, String> pipelineRef;

		private Map<String, Object> taskSpec;

		private Spec pipelineSpec;

		private List<Param> params;

		private List<Map<String, String>> workspaces;

		void pipelineSpec(Spec pipelineSpec) {
			this.pipelineSpec = pipelineSpec;
		}

	}

	static class Param {

		private String name;

		private Type type;

		@SerializedName("default")
		private Object defaultValue;

		@SerializedName("enum")
		private String[] values;

		private Object value;

	}

	record Result(String name, Object value) {
	}

	enum Type {

		string, array, object

	}

}
