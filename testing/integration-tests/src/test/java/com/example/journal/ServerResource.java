/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.informer.test.cluster.RealServer;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Resource of a server, accessed with the official client.
 *
 * @param api the API of the client
 * @param apiVersion the version with its group
 * @param kind the kind of its objects
 */
public record ServerResource(DynamicKubernetesApi api, String apiVersion, String kind) {

	/**
	 * Connect to a server as administrator.
	 * @param server the server
	 * @return the client
	 */
	public static ApiClient client(RealServer server) {
		try {
			return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the pods.
	 * @param client the client
	 * @return the resource
	 */
	public static ServerResource pods(ApiClient client) {
		return new ServerResource(new DynamicKubernetesApi("", "v1", "pods", client), "v1", "Pod");
	}

	/**
	 * Return the ConfigMaps.
	 * @param client the client
	 * @return the resource
	 */
	public static ServerResource configMaps(ApiClient client) {
		return new ServerResource(new DynamicKubernetesApi("", "v1", "configmaps", client), "v1", "ConfigMap");
	}

	/**
	 * Return the Deployments.
	 * @param client the client
	 * @return the resource
	 */
	public static ServerResource deployments(ApiClient client) {
		return new ServerResource(new DynamicKubernetesApi("apps", "v1", "deployments", client), "apps/v1",
				"Deployment");
	}

	/**
	 * Return the widgets.
	 * @param client the client
	 * @return the resource
	 */
	public static ServerResource widgets(ApiClient client) {
		return new ServerResource(new DynamicKubernetesApi("example.com", "v1", "widgets", client), "example.com/v1",
				"Widget");
	}

	static ServerResource customResourceDefinitions(ApiClient client) {
		return new ServerResource(
				new DynamicKubernetesApi("apiextensions.k8s.io", "v1", "customresourcedefinitions", client),
				"apiextensions.k8s.io/v1", "CustomResourceDefinition");
	}

	void create(@Nullable String namespace, String name, String content) throws ApiException {
		JsonObject object = JsonParser.parseString(content).getAsJsonObject();
		object.addProperty("apiVersion", this.apiVersion);
		object.addProperty("kind", this.kind);
		JsonObject metadata = new JsonObject();
		metadata.addProperty("namespace", namespace);
		metadata.addProperty("name", name);
		object.add("metadata", metadata);
		this.api.create(new DynamicKubernetesObject(object)).throwsApiException();
	}

	void label(String namespace, String name, String label, String value) throws ApiException {
		patch(namespace, name, "{\"metadata\": {\"labels\": {\"%s\": \"%s\"}}}".formatted(label, value));
	}

	/**
	 * Patch an object.
	 * @param namespace the namespace
	 * @param name the name
	 * @param patch a JSON merge patch
	 * @throws ApiException if the server rejects the patch
	 */
	public void patch(String namespace, String name, String patch) throws ApiException {
		this.api.patch(namespace, name, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, new V1Patch(patch)).throwsApiException();
	}

	void delete(String namespace, String name) throws ApiException {
		this.api.delete(namespace, name).throwsApiException();
	}

	/**
	 * Return the objects of all namespaces.
	 * @return UID and resource version by key
	 * @throws ApiException if the request fails
	 */
	Map<String, String> states() throws ApiException {
		Map<String, String> states = new TreeMap<>();
		this.api.list()
			.throwsApiException()
			.getObject()
			.getItems()
			.forEach((object) -> states.put(Journal.key(object), Journal.state(object)));
		return states;
	}

}
