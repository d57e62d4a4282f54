/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonParseException;
import dev.informer.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1APIGroup;
import io.kubernetes.client.openapi.models.V1APIGroupList;
import io.kubernetes.client.openapi.models.V1APIResource;
import io.kubernetes.client.openapi.models.V1APIResourceList;
import io.kubernetes.client.openapi.models.V1GroupVersionForDiscovery;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Asks the API server what a resource is. Thread-safe.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api">Discovery
 * API</a>
 */
public final class ResourceDiscovery {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final int NOT_FOUND = 404;

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	private final ApiConnection connection;

	/**
	 * Creates a discovery.
	 * @param connection the connection to the API server
	 */
	public ResourceDiscovery(ApiConnection connection) {
		this.connection = connection;
	}

	/**
	 * Finds a resource.
	 * @param <T> the type of the objects
	 * @param type the class of the objects
	 * @param name {@code plural.version.group}, or without the version
	 * @return the resource
	 * @throws IllegalArgumentException when the name is none, or the server does not
	 * serve such a resource to be listed and watched
	 * @throws IllegalStateException when the server does not say
	 */
	public <T extends KubernetesObject> ResourceType<T> find(Class<T> type, String name) {
		try {
			return complete(ResourceType.named(type, name), new Cancellation());
		}
		catch (ServerStatusException ex) {
			ServerStatus status = ex.status();
			if (status.code() == NOT_FOUND) {
				throw new IllegalArgumentException(
						"The API server does not serve '" + name + "' to be listed and watched: " + status.message()
								+ "; look at the name, or install the custom resource definition first",
						ex);
			}
			throw new IllegalStateException(
					"Could not find out what '" + name + "' is: the API server answered " + status.code(), ex);
		}
		catch (IOException ex) {
			throw new IllegalStateException(
					"Could not find out what '" + name + "' is: the API server cannot be reached: " + ex.getMessage(),
					ex);
		}
	}

	/**
	 * Finds what is not known of a resource.
	 * @param <T> the type of the objects
	 * @param named the resource as it was {@linkplain ResourceType#named named}
	 * @param scope cancels the request
	 * @return the resource
	 * @throws ServerStatusException when the server does not serve such a resource to be
	 * listed and watched, which is a 404, or does not say
	 * @throws IOException when the server cannot be reached
	 */
	<T extends KubernetesObject> ResourceType<T> complete(ResourceType<T> named, Cancellation scope)
			throws IOException {
		String version = named.version().isEmpty() ? preferredVersion(named.group(), scope) : named.version();
		List<V1APIResource> served = resources(named.group(), version, scope);
		V1APIResource resource = served.stream()
			.filter((candidate) -> candidate.getName().equals(named.plural()))
			.findFirst()
			.orElseThrow(() -> notServed("it has no such plural there, but " + names(served)));
		if (!resource.getVerbs().containsAll(List.of("list", "watch"))) {
			throw notServed("it can only be used to " + resource.getVerbs() + " there");
		}
		return new ResourceType<>(named.type(), named.group(), version, named.plural(), resource.getKind(),
				resource.getNamespaced());
	}

	private String preferredVersion(String name, Cancellation scope) throws IOException {
		if (name.isEmpty()) {
			return "v1";
		}
		V1APIGroup group = get("/apis", V1APIGroupList.class, scope).getGroups()
			.stream()
			.filter((candidate) -> name.equals(candidate.getName()))
			.findFirst()
			.orElseThrow(() -> notServed("it knows no group '" + name + "'"));
		V1GroupVersionForDiscovery preferred = group.getPreferredVersion();
		return ((preferred != null) ? preferred : group.getVersions().get(0)).getVersion();
	}

	private List<V1APIResource> resources(String group, String version, Cancellation scope) throws IOException {
		String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
		try {
			return get(path, V1APIResourceList.class, scope).getResources();
		}
		catch (ServerStatusException ex) {
			throw (ex.status().code() != NOT_FOUND) ? ex
					: notServed("it knows no version '" + version + "' of the group '" + group + "'");
		}
	}

	private <R> R get(String path, Class<R> type, Cancellation scope) throws IOException {
		Call call = ApiConnection.newCall(this.connection.listClient(), request(path));
		call.timeout().timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		Closeable cancellation = call::cancel;
		scope.register(cancellation);
		try (Response response = call.execute()) {
			if (!response.isSuccessful()) {
				throw refused(response.code(), "the answer to " + path);
			}
			return JSON.getGson().fromJson(response.body().charStream(), type);
		}
		catch (JsonParseException | IllegalArgumentException ex) {
			throw new MalformedResponseException(path + " is not answered as discovery is", ex);
		}
		finally {
			scope.unregister(cancellation);
		}
	}

	private Request request(String path) throws IOException {
		try {
			return this.connection.apiClient()
				.buildRequest(null, path, "GET", List.of(), List.of(), null,
						new HashMap<>(Map.of("Accept", "application/json")), new HashMap<>(), new HashMap<>(),
						AUTHENTICATIONS, null);
		}
		catch (ApiException ex) {
			throw new IOException("The request for " + path + " cannot be built: " + ex.getMessage(), ex);
		}
	}

	private static List<String> names(List<V1APIResource> served) {
		return served.stream().map(V1APIResource::getName).filter((name) -> !name.contains("/")).sorted().toList();
	}

	private static ServerStatusException notServed(String reason) {
		return refused(NOT_FOUND, reason);
	}

	private static ServerStatusException refused(int code, String message) {
		return new ServerStatusException(new ServerStatus(code, "", message, List.of(), null));
	}

}
