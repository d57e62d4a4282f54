/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import dev.informer.test.store.ListOptions;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.StoredObjectKey;

/**
 * Parsed path under {@code /api} or {@code /apis}.
 *
 * @param definition the resource
 * @param namespace the namespace, empty if the path has none
 * @param name the name of the object, empty for a collection
 * @param subresource the subresource, empty if the path has none
 * @param watch whether the path itself requests a watch
 */
public record RequestPath(ResourceDefinition definition, String namespace, String name, String subresource,
		boolean watch) {

	static List<String> segments(String path) {
		return Arrays.stream(path.split("/")).filter((segment) -> !segment.isEmpty()).map(ApiRequest::decode).toList();
	}

	/**
	 * Parse the part of a path that follows group and version.
	 * @throws KubernetesStatusException if the resource is unknown
	 */
	static RequestPath parse(ResourceTable table, String group, String version, List<String> rest) {
		RequestPath path = read(rest,
				(plural) -> table.find(group, version, plural).orElseThrow(StatusErrors::unknownResource));
		if (!path.isPossible()) {
			throw StatusErrors.unknownResource();
		}
		return path;
	}

	/**
	 * Parse a path without looking up its resource.
	 */
	static RequestPath unchecked(String group, String version, List<String> rest) {
		return read(rest, (plural) -> new ResourceDefinition(group, version, plural, "", false, false, false));
	}

	private static RequestPath read(List<String> rest, Function<String, ResourceDefinition> definitions) {
		boolean watch = rest.get(0).equals("watch") && rest.size() > 1;
		List<String> segments = watch ? rest.subList(1, rest.size()) : rest;
		boolean inNamespace = segments.size() > 2 && segments.get(0).equals("namespaces")
				&& !isNamespaceSubresource(segments.get(2));
		String namespace = inNamespace ? segments.get(1) : "";
		List<String> resource = inNamespace ? segments.subList(2, segments.size()) : segments;
		ResourceDefinition definition = definitions.apply(resource.get(0));
		String subresource = String.join("/", resource.subList(Math.min(2, resource.size()), resource.size()));
		return new RequestPath(definition, namespace, at(resource, 1), subresource, watch);
	}

	private boolean isPossible() {
		if (!this.subresource.isEmpty() && !(this.subresource.equals("status") && this.definition.status())) {
			// the real server looks up the definition of a custom resource later
			if (!this.definition.builtIn()) {
				throw StatusErrors.notFound(this.definition, this.name);
			}
			return false;
		}
		if (this.definition.namespaced()) {
			return this.name.isEmpty() || !this.namespace.isEmpty();
		}
		return this.namespace.isEmpty();
	}

	/**
	 * Return the namespace for which permissions are checked. A namespace object belongs
	 * to its own namespace.
	 */
	public String scope() {
		return this.definition.resource().equals("namespaces") ? this.name : this.namespace;
	}

	/**
	 * Create the error for a request of a user without permission.
	 */
	public KubernetesStatusException notAllowed(String user, Verb verb) {
		String resource = this.subresource.isEmpty() ? this.definition.plural()
				: this.definition.plural() + "/" + this.subresource;
		String where = scope().isEmpty() ? "at the cluster scope" : "in the namespace " + StatusErrors.quoted(scope());
		return StatusErrors.forbidden(this.definition, this.name,
				"User " + StatusErrors.quoted(user) + " cannot " + verb.name().toLowerCase(Locale.ROOT) + " resource "
						+ StatusErrors.quoted(resource) + " in API group "
						+ StatusErrors.quoted(this.definition.group()) + " " + where);
	}

	StoredObjectKey key() {
		return new StoredObjectKey(this.namespace, this.name);
	}

	private static boolean isNamespaceSubresource(String segment) {
		return segment.equals("status") || segment.equals("finalize");
	}

	private static String at(List<String> segments, int index) {
		return (index < segments.size()) ? segments.get(index) : "";
	}

	public Verb verb(ApiRequest request) {
		boolean collection = this.name.isEmpty();
		return switch (request.method()) {
			case "GET" -> {
				if (!collection) {
					yield Verb.GET;
				}
				yield (this.watch || ListOptions.flag(request.query().get("watch"))) ? Verb.WATCH : Verb.LIST;
			}
			case "POST" -> (collection && inItsScope()) ? Verb.CREATE : Verb.OTHER;
			case "PUT" -> collection ? Verb.OTHER : Verb.UPDATE;
			case "PATCH" -> collection ? Verb.OTHER : Verb.PATCH;
			case "DELETE" -> collection ? deleteCollection() : Verb.DELETE;
			default -> Verb.OTHER;
		};
	}

	private Verb deleteCollection() {
		return (inItsScope() && !this.definition.resource().equals("namespaces")) ? Verb.DELETECOLLECTION : Verb.OTHER;
	}

	/**
	 * Return whether the path has a namespace if the resource is namespaced.
	 */
	boolean inItsScope() {
		return !this.definition.namespaced() || !this.namespace.isEmpty();
	}

}
