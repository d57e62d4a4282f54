/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWrite.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes manifests with the minimal permissions of informers and writes: a Role per
 * namespace, and a ClusterRole for all namespaces and for the selection of namespaces by
 * label. Bindings to a service account are not included. Not thread-safe.
 * <p>
 * The YAML is written directly. The official client's {@code Yaml} writes the models by
 * reflection, which a native image would need hints for, adds empty {@code annotations}
 * and {@code labels}, and takes twice as many lines in a log.
 */
public final class RbacManifest {

	private static final Pattern PLAIN = Pattern
		.compile("(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z](?:[-a-z0-9.]*[a-z0-9])?", Pattern.CASE_INSENSITIVE);

	private static final String LEASES = "- apiGroups: [\"coordination.k8s.io\"]\n  resources: [\"leases\"]\n";

	/** Verbs in the order in which a rule has them. */
	private static final List<String> VERBS = List.of("list", "watch", "create", "update", "patch", "delete");

	/** Rules by namespace, empty for all namespaces. */
	private final Map<String, Rules> rules = new TreeMap<>();

	/** Rules by the selector of namespaces of which none is known. */
	private final Map<String, Rules> selected = new TreeMap<>();

	/**
	 * Add the permissions to list and watch the objects of an informer.
	 */
	public RbacManifest add(ResourceType<?> resourceType, @Nullable String selector, Collection<String> namespaces) {
		return add(resourceType, selector, namespaces, "list", "watch");
	}

	/**
	 * Add verbs on the objects of an informer for namespaces, or for all if there are
	 * none. With a selector of namespaces, they are those on namespaces, and those in
	 * each that matches; if there are none, the manifest has a Role without a namespace.
	 */
	public RbacManifest add(ResourceType<?> resourceType, @Nullable String selector, Collection<String> namespaces,
			String... verbs) {
		return add(resourceType.group(), resourceType.plural(), selector, namespaces, verbs);
	}

	/**
	 * Add the permission to update the status of the objects of an informer.
	 */
	public RbacManifest addStatus(ResourceType<?> resourceType, @Nullable String selector,
			Collection<String> namespaces) {
		return add(resourceType.group(), resourceType.plural() + "/status", selector, namespaces, "update");
	}

	private RbacManifest add(String group, String resource, @Nullable String selector, Collection<String> namespaces,
			String... verbs) {
		if (selector != null) {
			rules("").allow("", "namespaces", "list", "watch");
		}
		if (selector != null && namespaces.isEmpty()) {
			this.selected.computeIfAbsent(selector, (any) -> new Rules()).allow(group, resource, verbs);
			return this;
		}
		for (String namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
			rules(namespace).allow(group, resource, verbs);
		}
		return this;
	}

	/**
	 * Add the permissions of writes in namespaces, or in all if there are none. An apply
	 * creates an object that does not exist.
	 */
	public RbacManifest addWrites(ResourceType<?> resourceType, Collection<Operation> operations,
			Collection<String> namespaces) {
		String plural = resourceType.plural();
		for (String namespace : (namespaces.isEmpty() || !resourceType.namespaced()) ? List.of("") : namespaces) {
			for (Operation operation : operations) {
				switch (operation) {
					case CREATE -> rules(namespace).allow(resourceType.group(), plural, "create");
					case APPLY -> rules(namespace).allow(resourceType.group(), plural, "create", "patch");
					case UPDATE -> rules(namespace).allow(resourceType.group(), plural, "update");
					case UPDATE_STATUS -> rules(namespace).allow(resourceType.group(), plural + "/status", "update");
					case PATCH -> rules(namespace).allow(resourceType.group(), plural, "patch");
					case DELETE -> rules(namespace).allow(resourceType.group(), plural, "delete");
				}
			}
		}
		return this;
	}

	private Rules rules(String namespace) {
		return this.rules.computeIfAbsent(namespace, (any) -> new Rules());
	}

	/**
	 * Add the permissions of a leader election. A permission to create objects cannot be
	 * limited to a name.
	 */
	public RbacManifest addLease(String namespace, String name) {
		rules(namespace).leases.add(name);
		return this;
	}

	/**
	 * Add the permissions of a member of a group that divides objects. The names of its
	 * Leases are generated.
	 */
	public RbacManifest addLeases(String namespace) {
		rules(namespace).group = true;
		return this;
	}

	/**
	 * Return the YAML for {@code kubectl apply}, with the name of the roles; empty if no
	 * permission is required.
	 */
	public String toYaml(String name) {
		StringBuilder yaml = new StringBuilder();
		this.rules.forEach((namespace, granted) -> {
			yaml.append(yaml.isEmpty() ? "" : "---\n");
			appendHeader(yaml, namespace.isEmpty() ? "ClusterRole" : "Role", name);
			if (!namespace.isEmpty()) {
				yaml.append("  namespace: ").append(scalar(namespace)).append('\n');
			}
			granted.appendTo(yaml);
		});
		int number = 0;
		for (Map.Entry<String, Rules> entry : this.selected.entrySet()) {
			number++;
			yaml.append("---\n# for each namespace that matches '")
				.append(entry.getKey().strip().replaceAll("[\\s\\p{Cntrl}\\u0085\\u2028\\u2029]+", " "))
				.append("': kubectl apply --namespace <name>\n");
			// not that of a Role which the namespace may have for Leases
			appendHeader(yaml, "Role", name + "-selected" + ((number > 1) ? "-" + number : ""));
			entry.getValue().appendTo(yaml);
		}
		return yaml.toString();
	}

	private static void appendHeader(StringBuilder yaml, String kind, String name) {
		yaml.append("apiVersion: rbac.authorization.k8s.io/v1\nkind: ")
			.append(kind)
			.append("\nmetadata:\n  name: ")
			.append(scalar(name))
			.append('\n');
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

	private static final class Rules {

		/** Verbs by group and resource. */
		private final Map<String, Map<String, Set<String>>> verbs = new TreeMap<>();

		private final TreeSet<String> leases = new TreeSet<>();

		private boolean group;

		private void allow(String group, String resource, String... allowed) {
			this.verbs.computeIfAbsent(group, (any) -> new TreeMap<>())
				.computeIfAbsent(resource, (any) -> new TreeSet<>(Comparator.comparingInt(VERBS::indexOf)))
				.addAll(List.of(allowed));
		}

		private void appendTo(StringBuilder yaml) {
			yaml.append("rules:\n");
			this.verbs.forEach((group, byResource) -> {
				Map<Set<String>, List<String>> resources = new LinkedHashMap<>();
				byResource.forEach((resource, allowed) -> resources.computeIfAbsent(allowed, (any) -> new ArrayList<>())
					.add(resource));
				resources.forEach((allowed, named) -> yaml.append("- apiGroups: ")
					.append(sequence(List.of(group)))
					.append("\n  resources: ")
					.append(sequence(named))
					.append("\n  verbs: ")
					.append(sequence(allowed))
					.append('\n'));
			});
			if (this.group) {
				// includes the permissions of elections
				yaml.append(LEASES)
					.append("  verbs: [\"get\", \"list\", \"watch\", \"create\", \"update\", \"delete\"]\n");
			}
			else if (!this.leases.isEmpty()) {
				yaml.append(LEASES)
					.append("  resourceNames: ")
					.append(sequence(this.leases))
					.append("\n  verbs: [\"get\", \"list\", \"watch\", \"update\"]\n")
					.append(LEASES)
					.append("  verbs: [\"create\"]\n");
			}
		}

	}

}
