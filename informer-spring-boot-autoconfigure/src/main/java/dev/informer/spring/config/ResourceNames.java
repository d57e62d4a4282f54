package dev.informer.spring.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.informer.ResourceType;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Finds out which resource is meant by what stands below {@code informer.resources}.
 */
final class ResourceNames {

	private static final String PREFIX = "informer.resources.";

	private final List<ResourceType<?>> used;

	ResourceNames(List<ResourceType<?>> used) {
		this.used = used;
	}

	ResourceType<?> resolve(String name, DeclaredResource declared) {
		if (!Names.isSimple(name)) {
			throw new InvalidInformerPropertyException(PREFIX + name,
					"'" + name + "' is no name of an informer, which has small letters and digits only "
							+ "and starts with a letter",
					"Choose another name, and say what to look at by '" + PREFIX + "<name>.resource' or '" + PREFIX
							+ "<name>.type'.");
		}
		if (declared.type() != null) {
			return ofType(name, declared.type(), declared.resource() != null);
		}
		return (declared.resource() != null) ? ofResource(name, declared.resource()) : ofName(name);
	}

	private ResourceType<?> ofType(String name, Class<?> type, boolean ambiguous) {
		String key = PREFIX + name + ".type";
		if (ambiguous) {
			throw new InvalidInformerPropertyException(key, PREFIX + name + ".resource is given as well",
					"Give one of the two.");
		}
		String remedy = "Name a model of the official client such as io.kubernetes.client.openapi.models.V1Pod, "
				+ "or a class that implements KubernetesObject and is annotated with @CustomResource.";
		if (!KubernetesObject.class.isAssignableFrom(type)) {
			throw new InvalidInformerPropertyException(key, type.getName() + " is no KubernetesObject", remedy);
		}
		try {
			return ResourceType.of(type.asSubclass(KubernetesObject.class));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerPropertyException(key, String.valueOf(ex.getMessage()), remedy, ex);
		}
	}

	private ResourceType<?> ofResource(String name, String resource) {
		return find(resource).orElseThrow(() -> new InvalidInformerPropertyException(PREFIX + name + ".resource",
				"'" + resource + "' is no resource that the official client has a model of", suggestion(resource)
						+ "For a custom resource give the class of its objects by '" + PREFIX + name + ".type'."));
	}

	private ResourceType<?> ofName(String name) {
		return find(name).orElseThrow(() -> new InvalidInformerPropertyException(PREFIX + name,
				"'" + name + "' is no resource that the official client has a model of",
				suggestion(name) + "If it is a name of your own, say what to look at by '" + PREFIX + name
						+ ".resource' (a plural " + "such as pods, or deployments.apps) or '" + PREFIX + name
						+ ".type' (a class)."));
	}

	private Optional<ResourceType<?>> find(String resource) {
		List<ResourceType<?>> matching = this.used.stream()
			.filter((each) -> each.plural().equals(resource) || each.qualifiedName().equals(resource))
			.toList();
		return (matching.size() == 1) ? Optional.of(matching.get(0))
				: Optional.ofNullable(ResourceType.official().get(resource));
	}

	private static String suggestion(String resource) {
		Map<String, ResourceType<?>> official = ResourceType.official();
		return Names.nearest(resource, official.keySet())
			.map((nearest) -> "Did you mean '" + nearest + "'? ")
			.orElse("");
	}

}
