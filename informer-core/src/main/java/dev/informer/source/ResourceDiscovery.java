package dev.informer.source;

import java.util.List;

import dev.informer.ResourceType;
import io.kubernetes.client.Discovery;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1APIGroup;
import io.kubernetes.client.openapi.models.V1APIResource;
import io.kubernetes.client.openapi.models.V1GroupVersionForDiscovery;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server what a resource is. Thread-safe.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api">Discovery
 * API</a>
 */
public final class ResourceDiscovery {

	private final Discovery discovery;

	/**
	 * Creates a discovery that asks with the client's own settings.
	 * @param apiClient the connection
	 */
	public ResourceDiscovery(ApiClient apiClient) {
		this.discovery = new Discovery(apiClient);
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
		ResourceName wanted = ResourceName.parse(name);
		String version = (wanted.version() != null) ? wanted.version() : preferredVersion(wanted, name);
		List<V1APIResource> served = resources(wanted.group(), version, name);
		V1APIResource resource = served.stream()
			.filter((candidate) -> candidate.getName().equals(wanted.plural()))
			.findFirst()
			.orElseThrow(() -> notServed(name, "it has no such plural there, but " + names(served)));
		if (!resource.getVerbs().containsAll(List.of("list", "watch"))) {
			throw notServed(name, "it can only be used to " + resource.getVerbs() + " there");
		}
		return new ResourceType<>(type, wanted.group(), version, wanted.plural(), resource.getKind(),
				resource.getNamespaced());
	}

	private String preferredVersion(ResourceName wanted, String name) {
		if (wanted.group().isEmpty()) {
			return "v1";
		}
		List<V1APIGroup> groups;
		try {
			groups = this.discovery.groupDiscovery("/apis").getGroups();
		}
		catch (ApiException ex) {
			throw unknown(name, ex);
		}
		V1APIGroup group = groups.stream()
			.filter((candidate) -> wanted.group().equals(candidate.getName()))
			.findFirst()
			.orElseThrow(() -> notServed(name, "it knows no group '" + wanted.group() + "'"));
		V1GroupVersionForDiscovery preferred = group.getPreferredVersion();
		return ((preferred != null) ? preferred : group.getVersions().get(0)).getVersion();
	}

	private List<V1APIResource> resources(String group, String version, String name) {
		String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
		try {
			return this.discovery.resourceDiscovery(path).getResources();
		}
		catch (ApiException ex) {
			if (ex.getCode() == 404) {
				throw notServed(name, "it knows no version '" + version + "' of the group '" + group + "'");
			}
			throw unknown(name, ex);
		}
	}

	private static List<String> names(List<V1APIResource> served) {
		return served.stream().map(V1APIResource::getName).filter((name) -> !name.contains("/")).sorted().toList();
	}

	private static IllegalArgumentException notServed(String name, String reason) {
		return new IllegalArgumentException("The API server does not serve '" + name + "' to be listed and watched: "
				+ reason + "; look at the name, or install the custom resource definition first");
	}

	private static IllegalStateException unknown(String name, ApiException failure) {
		String answer = (failure.getCode() > 0) ? "the API server answered " + failure.getCode()
				: "the API server cannot be reached: " + rootMessage(failure);
		return new IllegalStateException("Could not find out what '" + name + "' is: " + answer, failure);
	}

	private static @Nullable String rootMessage(Throwable failure) {
		Throwable cause = failure.getCause();
		return (cause != null) ? cause.getMessage() : failure.getMessage();
	}

}
