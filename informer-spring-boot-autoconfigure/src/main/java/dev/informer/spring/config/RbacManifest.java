/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.informer.client.ResourceType;

/**
 * Kubernetes manifests with the minimal permissions of informers: a Role per namespace,
 * and a ClusterRole for informers of all namespaces and for the selection of namespaces
 * by label. Bindings to a service account are not included. Not thread-safe.
 * <p>
 * The YAML is written directly. The official client's {@code Yaml} writes the models by
 * reflection, which a native image would need hints for, adds empty {@code annotations}
 * and {@code labels}, and takes twice as many lines in a log.
 */
public final class RbacManifest {

	private static final Pattern PLAIN = Pattern
		.compile("(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z](?:[-a-z0-9.]*[a-z0-9])?", Pattern.CASE_INSENSITIVE);

	private static final String LEASES = "- apiGroups: [\"coordination.k8s.io\"]\n  resources: [\"leases\"]\n";

	private final Map<String, Map<String, TreeSet<String>>> pluralsByGroupByNamespace = new TreeMap<>();

	private final Map<String, Map<String, TreeSet<String>>> pluralsByGroupBySelector = new TreeMap<>();

	private final Map<String, TreeSet<String>> leasesByNamespace = new TreeMap<>();

	private final TreeSet<String> namespacesOfGroups = new TreeSet<>();

	/**
	 * Add the permissions of an informer for its namespaces, or for all if there are
	 * none.
	 */
	public RbacManifest add(ResourceType<?> resourceType, List<String> namespaces) {
		for (String namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
			add(this.pluralsByGroupByNamespace, namespace, resourceType.group(), resourceType.plural());
		}
		return this;
	}

	/**
	 * Add the permissions of an informer with a namespace selector: those on namespaces,
	 * and those in each namespace that matches. If none is known to match, the manifest
	 * has a Role without a namespace.
	 */
	public RbacManifest addSelected(ResourceType<?> resourceType, String selector, Collection<String> matching) {
		add(this.pluralsByGroupByNamespace, "", "", "namespaces");
		for (String namespace : matching) {
			add(this.pluralsByGroupByNamespace, namespace, resourceType.group(), resourceType.plural());
		}
		if (matching.isEmpty()) {
			add(this.pluralsByGroupBySelector, selector, resourceType.group(), resourceType.plural());
		}
		return this;
	}

	private static void add(Map<String, Map<String, TreeSet<String>>> pluralsByGroupByKey, String key, String group,
			String plural) {
		pluralsByGroupByKey.computeIfAbsent(key, (any) -> new TreeMap<>())
			.computeIfAbsent(group, (any) -> new TreeSet<>())
			.add(plural);
	}

	/**
	 * Add the permissions of a leader election. A permission to create objects cannot be
	 * limited to a name.
	 */
	public RbacManifest addLease(String namespace, String name) {
		this.pluralsByGroupByNamespace.computeIfAbsent(namespace, (any) -> new TreeMap<>());
		this.leasesByNamespace.computeIfAbsent(namespace, (any) -> new TreeSet<>()).add(name);
		return this;
	}

	/**
	 * Add the permissions of a member of a group that divides objects. The names of its
	 * Leases are generated.
	 */
	public RbacManifest addLeases(String namespace) {
		this.pluralsByGroupByNamespace.computeIfAbsent(namespace, (any) -> new TreeMap<>());
		this.namespacesOfGroups.add(namespace);
		return this;
	}

	/**
	 * Return the YAML for {@code kubectl apply}, with the name of the roles; empty if no
	 * permission is required.
	 */
	public String toYaml(String name) {
		StringBuilder yaml = new StringBuilder();
		this.pluralsByGroupByNamespace.forEach((namespace, pluralsByGroup) -> {
			yaml.append(yaml.isEmpty() ? "" : "---\n");
			appendHeader(yaml, namespace.isEmpty() ? "ClusterRole" : "Role", name);
			if (!namespace.isEmpty()) {
				yaml.append("  namespace: ").append(scalar(namespace)).append('\n');
			}
			yaml.append("rules:\n");
			appendRules(yaml, pluralsByGroup);
			appendLeases(yaml, namespace);
		});
		this.pluralsByGroupBySelector.forEach((selector, pluralsByGroup) -> {
			yaml.append("---\n# for each namespace that matches '")
				.append(selector.strip().replaceAll("[\\s\\p{Cntrl}\\u0085\\u2028\\u2029]+", " "))
				.append("': kubectl apply --namespace <name>\n");
			appendHeader(yaml, "Role", name);
			yaml.append("rules:\n");
			appendRules(yaml, pluralsByGroup);
		});
		return yaml.toString();
	}

	private void appendLeases(StringBuilder yaml, String namespace) {
		TreeSet<String> names = this.leasesByNamespace.get(namespace);
		if (this.namespacesOfGroups.contains(namespace)) {
			// includes the permissions of elections
			yaml.append(LEASES).append("  verbs: [\"get\", \"list\", \"watch\", \"create\", \"update\", \"delete\"]\n");
		}
		else if (names != null) {
			yaml.append(LEASES)
				.append("  resourceNames: ")
				.append(sequence(names))
				.append("\n  verbs: [\"get\", \"list\", \"watch\", \"update\"]\n")
				.append(LEASES)
				.append("  verbs: [\"create\"]\n");
		}
	}

	private static void appendHeader(StringBuilder yaml, String kind, String name) {
		yaml.append("apiVersion: rbac.authorization.k8s.io/v1\nkind: ")
			.append(kind)
			.append("\nmetadata:\n  name: ")
			.append(scalar(name))
			.append('\n');
	}

	private static void appendRules(StringBuilder yaml, Map<String, TreeSet<String>> pluralsByGroup) {
		pluralsByGroup.forEach((group, plurals) -> yaml.append("- apiGroups: ")
			.append(sequence(List.of(group)))
			.append("\n  resources: ")
			.append(sequence(plurals))
			.append("\n  verbs: [\"list\", \"watch\"]\n"));
	}

	private static String sequence(Collection<String> texts) {
		return texts.stream().map(RbacManifest::quoted).collect(Collectors.joining(", ", "[", "]"));
	}

	/**
	 * Return a text that YAML reads as a text: quoted unless it begins with a letter and
	 * is none of the words of YAML 1.1 for other values.
	 */
	private static String scalar(String text) {
		return PLAIN.matcher(text).matches() ? text : quoted(text);
	}

	private static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

}
