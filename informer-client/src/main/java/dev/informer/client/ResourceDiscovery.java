/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.informer.client.FailureReason.Kind;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1APIGroup;
import io.kubernetes.client.openapi.models.V1APIGroupList;
import io.kubernetes.client.openapi.models.V1APIResource;
import io.kubernetes.client.openapi.models.V1APIResourceList;
import io.kubernetes.client.openapi.models.V1GroupVersionForDiscovery;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Discovery of resources at the API server. Thread-safe.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api">Discovery
 * API</a>
 */
public final class ResourceDiscovery {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final int NOT_FOUND = 404;

	/** Versions of a group that are tried. */
	private static final int MAX_VERSIONS = 20;

	private static final Pattern API_VERSION = Pattern
		.compile("([a-z0-9][-a-z0-9.]{0,252}/)?[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?");

	private final KubernetesConnection connection;

	/**
	 * Create a discovery.
	 * @param connection the connection to the API server
	 */
	public ResourceDiscovery(KubernetesConnection connection) {
		this.connection = connection;
	}

	/**
	 * Find a resource.
	 * @param <T> the type of the objects
	 * @param type the class of the objects
	 * @param name {@code plural.version.group}, or without the version
	 * @return the resource
	 * @throws IllegalArgumentException if the name is invalid, or the server does not
	 * serve such a resource with the verb list
	 * @throws IllegalStateException if discovery fails
	 */
	public <T extends KubernetesObject> ResourceType<T> find(Class<T> type, String name) {
		try {
			return complete(ResourceType.named(type, name), new Cancellation());
		}
		catch (IOException ex) {
			FailureReason reason = FailureReason.of(ex);
			if (reason.kind() == Kind.NOT_FOUND && ex instanceof ServerStatusException missing) {
				throw new IllegalArgumentException(
						"Cannot find resource '" + name + "': " + missing.status().message() + ". Check the name"
								+ (name.contains(".") ? "" : ", which needs its group, such as deployments.apps")
								+ ", or install its CustomResourceDefinition first.",
						ex);
			}
			String remedy = (reason.kind() == Kind.FORBIDDEN) ? "Grant the ClusterRole system:discovery."
					: reason.remedy();
			throw new IllegalStateException("Cannot discover resource '" + name + "': " + reason.text()
					+ (remedy.isEmpty() ? "" : ". " + remedy), ex);
		}
	}

	/**
	 * Find the resource of an untyped object for a thread of the user, whose interrupt
	 * ends the wait.
	 * @param apiVersion the group and the version of the object
	 * @param kind the kind of the object
	 * @return the resource
	 * @throws IllegalArgumentException if the API version is invalid
	 * @throws ServerStatusException with code 404 if the server does not serve such a
	 * resource, or with the code of another failure
	 * @throws IOException if the server does not answer in time or is unreachable
	 */
	public ResourceType<DynamicKubernetesObject> find(String apiVersion, String kind) throws IOException {
		if (!API_VERSION.matcher(apiVersion).matches()) {
			throw new IllegalArgumentException(
					"'" + UntrustedText.of(apiVersion) + "' is not an API version. Use one such as apps/v1.");
		}
		int slash = apiVersion.indexOf('/');
		String group = apiVersion.substring(0, Math.max(0, slash));
		String version = apiVersion.substring(slash + 1);
		V1APIResource resource = resources(group, version).stream()
			.filter((candidate) -> kind.equals(candidate.getKind()) && !candidate.getName().contains("/"))
			.findFirst()
			.orElseThrow(() -> notServed("the API server has no such kind in " + apiVersion));
		return ResourceType.dynamic(group, version, identifier(resource.getName()), identifier(kind),
				resource.getNamespaced());
	}

	/**
	 * Return whether a resource has a subresource, such as {@code status}, for a thread
	 * of the user, whose interrupt ends the wait.
	 * @param type the resource
	 * @param name the name of the subresource
	 * @return whether the server serves it
	 * @throws IOException if the server does not answer in time, or refuses
	 */
	public boolean hasSubresource(ResourceType<?> type, String name) throws IOException {
		return resources(type.group(), type.version()).stream()
			.anyMatch((candidate) -> (type.plural() + "/" + name).equals(candidate.getName()));
	}

	/**
	 * Return why requests for a resource fail, if the server serves it in another scope
	 * than it is declared with, for a thread of the user, whose interrupt ends the wait.
	 * @param declared the resource
	 * @return the reason; empty if the scope is right, or is not known
	 */
	public Optional<FailureReason> scopeFailure(ResourceType<?> declared) {
		try {
			return resources(declared.group(), declared.version()).stream()
				.filter((candidate) -> candidate.getName().equals(declared.plural())
						&& candidate.getNamespaced() != declared.namespaced())
				.findFirst()
				.map((other) -> FailureReason.of(new WrongScopeException(declared, false)));
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	private List<V1APIResource> resources(String group, String version) throws IOException {
		byte[] document = this.connection.send("GET", path(group, version), Map.of(), null, null, true, TIMEOUT);
		return parse(path(group, version), V1APIResourceList.class,
				() -> JsonParser.parseString(new String(document, StandardCharsets.UTF_8)))
			.getResources();
	}

	/**
	 * Complete a resource that was {@linkplain ResourceType#named named} with its version
	 * and kind, and whether it is namespaced.
	 * @throws ServerStatusException with code 404 if the server does not serve such a
	 * resource with the verb list, or with the code of another failure
	 */
	<T extends KubernetesObject> ResourceType<T> complete(ResourceType<T> named, Cancellation cancellation)
			throws IOException {
		ResourceType<T> other = named.kind().isEmpty() ? named.otherReading() : null;
		if (!named.version().isEmpty()) {
			return (other != null) ? completeEither(named, other, cancellation)
					: completeVersion(named, named.version(), cancellation);
		}
		List<V1APIGroup> groups = named.group().isEmpty() ? List.of() : groups(cancellation);
		return (other != null && hasVersion(groups, other)) ? completeEither(other, named, cancellation)
				: completeAny(named, versions(groups, named.group()), cancellation);
	}

	/**
	 * Complete one of two readings of a name: {@code plural.version.group} if it is
	 * served, as for kubectl, or else {@code plural.group}.
	 */
	private <T extends KubernetesObject> ResourceType<T> completeEither(ResourceType<T> versioned, ResourceType<T> any,
			Cancellation cancellation) throws IOException {
		try {
			return completeVersion(versioned, versioned.version(), cancellation);
		}
		catch (ServerStatusException ex) {
			if (ex.status().code() != NOT_FOUND) {
				throw ex;
			}
			try {
				return completeAny(any, versions(groups(cancellation), any.group()), cancellation);
			}
			catch (ServerStatusException other) {
				throw ex;
			}
		}
	}

	/**
	 * Complete a resource with the first version that has it.
	 */
	private <T extends KubernetesObject> ResourceType<T> completeAny(ResourceType<T> named, List<String> versions,
			Cancellation cancellation) throws IOException {
		try {
			return completeVersion(named, versions.get(0), cancellation);
		}
		catch (ServerStatusException ex) {
			if (ex.status().code() != NOT_FOUND || versions.size() == 1) {
				throw ex;
			}
			try {
				return completeAny(named, versions.subList(1, versions.size()), cancellation);
			}
			catch (ServerStatusException other) {
				throw ex;
			}
		}
	}

	private <T extends KubernetesObject> ResourceType<T> completeVersion(ResourceType<T> named, String version,
			Cancellation cancellation) throws IOException {
		List<V1APIResource> served = resources(named.group(), version, cancellation);
		V1APIResource resource = served.stream()
			.filter((candidate) -> candidate.getName().equals(named.plural()))
			.findFirst()
			.orElseThrow(() -> notServed("the API server has only " + names(served) + " in its group and version"));
		if (!resource.getVerbs().contains("list")) {
			throw notServed("its only verbs are " + resource.getVerbs());
		}
		return new ResourceType<>(named.type(), named.group(), version, named.plural(), identifier(resource.getKind()),
				resource.getNamespaced());
	}

	/**
	 * Verify the scope that a resource is declared with, if that can be discovered.
	 * @param namespaces whether the informer selects namespaces
	 * @throws WrongScopeException if the API server serves it in the other scope
	 */
	void verifyScope(ResourceType<?> declared, boolean namespaces, Cancellation cancellation) throws IOException {
		try {
			if (complete(declared, cancellation).namespaced() != declared.namespaced()) {
				throw new WrongScopeException(declared, namespaces);
			}
		}
		catch (ServerStatusException | MalformedResponseException ex) {
			if (ex instanceof ServerStatusException refusal && refusal.status().isOverloaded()) {
				throw ex;
			}
		}
	}

	private List<V1APIGroup> groups(Cancellation cancellation) throws IOException {
		return get("/apis", V1APIGroupList.class, cancellation).getGroups();
	}

	private static boolean hasVersion(List<V1APIGroup> groups, ResourceType<?> reading) {
		return groups.stream()
			.filter((candidate) -> reading.group().equals(candidate.getName()))
			.flatMap((candidate) -> candidate.getVersions().stream())
			.anyMatch((candidate) -> reading.version().equals(candidate.getVersion()));
	}

	/**
	 * Return the versions of a group, the preferred one first.
	 */
	private static List<String> versions(List<V1APIGroup> groups, String name) throws IOException {
		if (name.isEmpty()) {
			return List.of("v1");
		}
		V1APIGroup group = groups.stream()
			.filter((candidate) -> name.equals(candidate.getName()))
			.findFirst()
			.orElseThrow(() -> notServed("the API server has no group '" + name + "'"));
		Set<String> versions = new LinkedHashSet<>();
		V1GroupVersionForDiscovery preferred = group.getPreferredVersion();
		if (preferred != null) {
			versions.add(identifier(preferred.getVersion()));
		}
		for (V1GroupVersionForDiscovery served : group.getVersions()) {
			versions.add(identifier(served.getVersion()));
		}
		if (versions.isEmpty()) {
			throw notServed("the API server has no version of the group '" + name + "'");
		}
		return versions.stream().limit(MAX_VERSIONS).toList();
	}

	/**
	 * Return a version, a kind or a name, which becomes a part of paths and messages.
	 */
	private static String identifier(String text) throws MalformedResponseException {
		if (!IDENTIFIER.matcher(String.valueOf(text)).matches()) {
			throw new MalformedResponseException(
					"expected the version, kind or name of a resource, got \"" + UntrustedText.of(text) + "\"");
		}
		return text;
	}

	private List<V1APIResource> resources(String group, String version, Cancellation cancellation) throws IOException {
		try {
			return get(path(group, version), V1APIResourceList.class, cancellation).getResources();
		}
		catch (ServerStatusException ex) {
			throw (ex.status().code() != NOT_FOUND) ? ex
					: notServed("the API server has no version '" + version + "' of the group '" + group + "'");
		}
	}

	private static String path(String group, String version) {
		return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
	}

	private <R> R get(String path, Class<R> type, Cancellation cancellation) throws IOException {
		JsonObject document = this.connection.send("GET", path, null, TIMEOUT, cancellation);
		return parse(path, type, () -> document);
	}

	private static <R> R parse(String path, Class<R> type, Supplier<JsonElement> document) throws IOException {
		R read = null;
		String problem = "";
		try {
			read = JSON.getGson().fromJson(document.get(), type);
		}
		catch (JsonParseException | IllegalArgumentException ex) {
			// not as the cause: its message may quote the response
			problem = " (" + ex.getClass().getSimpleName() + ")";
		}
		if (read == null) {
			throw new MalformedResponseException(
					"expected a discovery document at " + path + ", got something else" + problem);
		}
		return read;
	}

	private static List<String> names(List<V1APIResource> served) {
		return served.stream().map(V1APIResource::getName).filter((name) -> !name.contains("/")).sorted().toList();
	}

	private static ServerStatusException notServed(String reason) {
		return new ServerStatusException(new ServerStatus(NOT_FOUND, "", reason, List.of(), null));
	}

	/**
	 * Thrown when the API server serves a resource as cluster-scoped that is declared as
	 * namespaced, or the other way around.
	 */
	static final class WrongScopeException extends IllegalStateException {

		private final String remedy;

		/**
		 * Create an exception.
		 * @param namespaces whether the informer selects namespaces
		 */
		WrongScopeException(ResourceType<?> declared, boolean namespaces) {
			super("the resource is " + text(!declared.namespaced()) + ", but declared as "
					+ text(declared.namespaced()));
			String value = "namespaced = " + !declared.namespaced();
			Class<?> type = declared.type();
			String declaration = type.isAnnotationPresent(CustomResource.class)
					? "Set " + value + " in the annotation @CustomResource of " + type.getName()
					: "Declare " + declared.qualifiedName() + " with " + value + ", unless it is discovered";
			this.remedy = declaration + (namespaces ? ", and remove the namespaces of the informer." : ".");
		}

		private static String text(boolean namespaced) {
			return namespaced ? "namespaced" : "cluster-scoped";
		}

		/**
		 * Return the remedy as a sentence.
		 */
		String remedy() {
			return this.remedy;
		}

	}

}
