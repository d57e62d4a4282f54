package dev.informer.reflector;

import dev.informer.InformerOptions;
import dev.informer.ResourceType;

/**
 * What a {@link Reflector} reflects, and how.
 *
 * @param informer the name of the informer that it belongs to
 * @param resourceType the resource
 * @param namespace the namespace; empty for all of them
 * @param options page size, watch timeout and backoff
 */
public record ReflectorSettings(String informer, ResourceType<?> resourceType, String namespace,
		InformerOptions options) {

	/**
	 * What is reflected, for somebody who reads it.
	 */
	String where() {
		String scope = "";
		if (this.resourceType.namespaced()) {
			scope = this.namespace.isEmpty() ? " in all namespaces" : " in namespace " + this.namespace;
		}
		return this.resourceType.qualifiedName() + scope;
	}

}
