/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.informer.client.CustomResource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Of Argo Workflows, as public fields with annotations of Jackson, arrays of arrays and a
 * class that contains itself.
 */
@CustomResource(group = "argoproj.io", version = "v1alpha1", plural = "workflows")
public class Workflow implements KubernetesObject {

	@JsonProperty("apiVersion")
	private String version;

	@JsonProperty("kind")
	private String type;

	@JsonProperty
	private V1ObjectMeta metadata;

	@JsonProperty
	@JsonAlias("specification")
	public Spec spec;

	@JsonInclude(JsonInclude.Include.NON_EMPTY)
	public SortedMap<String, SortedMap<String, String>> status = new TreeMap<>();

	@Override
	public String getApiVersion() {
		return this.version;
	}

	@Override
	public String getKind() {
		return this.type;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	public static class Spec {

		public String entrypoint;

		public String serviceAccountName;

		public Long parallelism;

		public Arguments arguments;

		public Template[] templates = {};

	}

	public static class Template {

		public String name;

		public Step[][] steps;

		public Arguments inputs;

		public Arguments outputs;

		public V1Container container;

		public Boolean daemon;

		public ResourceTemplate resource;

	}

	public static class Step {

		public String name;

		public String template;

		public Template inline;

		public TemplateRef templateRef;

		public Arguments arguments;

		public Sequence withSequence;

	}

	public static class TemplateRef {

		public String name;

		public String template;

	}

	public static class Sequence {

		public String start;

		public String end;

		public String format;

	}

	public static class ResourceTemplate {

		public String action;

		public String manifest;

	}

	public static class Arguments {

		public List<Parameter> parameters;

		public List<Artifact> artifacts;

	}

	public static class Parameter {

		public String name;

		public String value;

		@JsonProperty("default")
		public String defaultValue;

		@JsonProperty("enum")
		public List<String> values;

	}

	public static class Artifact {

		public String name;

		public String path;

		public String from;

		public Git git;

	}

	public static class Git {

		public String repo;

		public String revision;

	}

}
