/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWrite.Operation;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/**
 * Kubernetes manifests with the minimal permissions of informers and writes: a Role per
 * namespace, and a ClusterRole for all namespaces and for the selection of namespaces by
 * label. Bindings to a service account are not included. Not thread-safe.
 */
public final class RbacManifest {

	/** A requirement on the name, with which the server authorizes a list for it. */
	private static final Pattern NAME = Pattern.compile("(?:^|,)metadata\\.name==?([^,=!*\\\\]+)(?=,|$)");

	/** In place of a name. */
	private static final String ALL = "*";

	private static final String LEASES = "coordination.k8s.io";

	/** Verbs in the order in which a rule has them. */
	private static final List<String> VERBS = List.of("get", "list", "watch", "create", "update", "patch", "delete");

	/** Rules by namespace, empty for all namespaces. */
	private final Map<String, Rules> rules = new TreeMap<>();

	/** Rules by the selector of namespaces of which none is known. */
	private final Map<String, Rules> selected = new TreeMap<>();

	/**
	 * Add the permissions to list the objects of an informer, and to watch them unless it
	 * polls.
	 */
	RbacManifest add(SharedIndexInformer<?> informer) {
		return add(informer.resourceType(), informer.options(), namespaces(informer));
	}

	/**
	 * Add the permissions to list objects in namespaces, or in all if there are none, and
	 * to watch them unless the informer polls. With a selector of namespaces, they are
	 * those on namespaces, and those in each that matches; if there are none, the
	 * manifest has a Role without a namespace. A field selector may limit them to one
	 * name.
	 */
	RbacManifest add(ResourceType<?> resourceType, InformerOptions options, Collection<String> namespaces) {
		String selector = options.namespaceSelector();
		String[] verbs = options.watch() ? new String[] { "list", "watch" } : new String[] { "list" };
		if (selector != null) {
			rules("").allow("", "namespaces", ALL, "list", "watch");
		}
		rules(selector, namespaces).forEach((role) -> role.allow(resourceType.group(), resourceType.plural(),
				name(options.fieldSelector()), verbs));
		return this;
	}

	/**
	 * Add the permissions of writes of the objects of an informer.
	 */
	public RbacManifest addWrites(SharedIndexInformer<?> informer, Collection<Operation> operations) {
		return addWrites(informer, informer, operations);
	}

	/**
	 * Add the permissions of writes of the objects of an informer for owners, which are
	 * in the same namespace if they have one.
	 */
	RbacManifest addWrites(SharedIndexInformer<?> informer, SharedIndexInformer<?> owners,
			Collection<Operation> operations) {
		InformerOptions options = informer.options();
		boolean limited = options.namespaces().isEmpty() && options.namespaceSelector() == null
				&& informer.resourceType().namespaced() && owners.resourceType().namespaced();
		SharedIndexInformer<?> within = limited ? owners : informer;
		rules(within.options().namespaceSelector(), namespaces(within)).forEach((role) -> operations
			.forEach((operation) -> role.allow(informer.resourceType(), operation, name(options.fieldSelector()))));
		return this;
	}

	/**
	 * Add the permissions of writes in namespaces, or in all if there are none. An apply
	 * creates an object that does not exist. One with an owner lists an object that
	 * exists.
	 */
	RbacManifest addWrites(ResourceType<?> resourceType, Collection<Operation> operations,
			Collection<String> namespaces, boolean withOwner) {
		rules(null, resourceType.namespaced() ? namespaces : List.of()).forEach((role) -> {
			operations.forEach((operation) -> role.allow(resourceType, operation, ALL));
			if (withOwner && operations.contains(Operation.APPLY)) {
				role.allow(resourceType.group(), resourceType.plural(), ALL, "list");
			}
		});
		return this;
	}

	private static Set<String> namespaces(SharedIndexInformer<?> informer) {
		Set<String> namespaces = new TreeSet<>(informer.options().namespaces());
		if (informer.options().namespaceSelector() != null) {
			namespaces.addAll(informer.statesByNamespace().keySet());
			namespaces.addAll(informer.omittedNamespaces());
		}
		return namespaces;
	}

	/**
	 * Return the name that a field selector requires.
	 */
	private static String name(@Nullable String fieldSelector) {
		Matcher name = NAME.matcher((fieldSelector != null) ? fieldSelector : "");
		return name.find() ? name.group(1) : ALL;
	}

	private List<Rules> rules(@Nullable String selector, Collection<String> namespaces) {
		if (selector != null && namespaces.isEmpty()) {
			return List.of(this.selected.computeIfAbsent(selector, (any) -> new Rules()));
		}
		return (namespaces.isEmpty() ? List.of("") : namespaces).stream().map(this::rules).toList();
	}

	private Rules rules(String namespace) {
		return this.rules.computeIfAbsent(namespace, (any) -> new Rules());
	}

	/**
	 * Add the permissions of a leader election.
	 */
	public RbacManifest addLease(String namespace, String name) {
		rules(namespace).allow(LEASES, "leases", name, "get", "list", "watch", "create", "update");
		return this;
	}

	/**
	 * Add the permissions of a member of a group that divides objects. The names of its
	 * Leases are generated.
	 */
	public RbacManifest addLeases(String namespace) {
		rules(namespace).allow(LEASES, "leases", ALL, "get", "list", "watch", "create", "update", "delete");
		return this;
	}

	/**
	 * Return the YAML for {@code kubectl apply}, with the name of the roles; empty if no
	 * permission is required.
	 */
	public String toYaml(String name) {
		List<String> roles = new ArrayList<>();
		this.rules.forEach((namespace, granted) -> {
			Map<String, String> metadata = new LinkedHashMap<>(Map.of("name", name));
			if (!namespace.isEmpty()) {
				metadata.put("namespace", namespace);
			}
			roles.add(granted.toYaml(namespace.isEmpty() ? "ClusterRole" : "Role", metadata));
		});
		int number = 0;
		for (Map.Entry<String, Rules> entry : this.selected.entrySet()) {
			number++;
			// not that of a Role which the namespace may have for Leases
			String selected = name + "-selected" + ((number > 1) ? "-" + number : "");
			roles.add("# for each namespace that matches '"
					+ entry.getKey().strip().replaceAll("[\\s\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ")
					+ "': kubectl apply --namespace <name>\n"
					+ entry.getValue().toYaml("Role", Map.of("name", selected)));
		}
		return String.join("---\n", roles);
	}

	/**
	 * Rules of a role.
	 */
	private static final class Rules {

		/** Verbs by group, resource and name. */
		private final Map<String, Map<String, Map<String, Set<String>>>> verbs = new TreeMap<>();

		void allow(ResourceType<?> type, Operation operation, String name) {
			switch (operation) {
				case CREATE -> allow(type.group(), type.plural(), name, "create");
				case APPLY -> allow(type.group(), type.plural(), name, "create", "patch");
				case UPDATE -> allow(type.group(), type.plural(), name, "update");
				case UPDATE_STATUS -> allow(type.group(), type.plural() + "/status", name, "update");
				case PATCH -> allow(type.group(), type.plural(), name, "patch");
				case DELETE -> allow(type.group(), type.plural(), name, "delete");
			}
		}

		/**
		 * Allow verbs. A permission to create objects cannot be limited to a name.
		 */
		void allow(String group, String resource, String name, String... allowed) {
			Map<String, Set<String>> byName = this.verbs.computeIfAbsent(group, (any) -> new TreeMap<>())
				.computeIfAbsent(resource, (any) -> new TreeMap<>());
			for (String verb : allowed) {
				byName
					.computeIfAbsent(verb.equals("create") ? ALL : name,
							(any) -> new TreeSet<>(Comparator.comparingInt(VERBS::indexOf)))
					.add(verb);
			}
		}

		String toYaml(String kind, Map<String, String> metadata) {
			Map<String, Object> role = new LinkedHashMap<>();
			role.put("apiVersion", "rbac.authorization.k8s.io/v1");
			role.put("kind", kind);
			role.put("metadata", metadata);
			role.put("rules", rules());
			DumperOptions options = new DumperOptions();
			options.setDefaultFlowStyle(FlowStyle.BLOCK);
			options.setSplitLines(false);
			return new Yaml(new CompactRepresenter(options), options).dump(role);
		}

		private List<Map<String, Collection<String>>> rules() {
			List<Map<String, Collection<String>>> rules = new ArrayList<>();
			this.verbs.forEach((group, byResource) -> {
				Map<Set<String>, List<String>> resources = new LinkedHashMap<>();
				byResource.forEach((resource, byName) -> resources
					.computeIfAbsent(byName.getOrDefault(ALL, Set.of()), (any) -> new ArrayList<>())
					.add(resource));
				byResource.forEach((resource, byName) -> addNamed(rules, group, resource, byName));
				resources.forEach((allowed, named) -> add(rules, group, named, List.of(), allowed));
			});
			return rules;
		}

		/**
		 * Add the rules on the objects of a name, without what is allowed on all.
		 */
		private static void addNamed(List<Map<String, Collection<String>>> rules, String group, String resource,
				Map<String, Set<String>> byName) {
			Map<Set<String>, List<String>> names = new LinkedHashMap<>();
			byName.forEach((name, allowed) -> {
				Set<String> rest = new LinkedHashSet<>(allowed);
				rest.removeAll(byName.getOrDefault(ALL, Set.of()));
				names.computeIfAbsent(rest, (any) -> new ArrayList<>()).add(name);
			});
			names.forEach((allowed, named) -> add(rules, group, List.of(resource), named, allowed));
		}

		private static void add(List<Map<String, Collection<String>>> rules, String group, List<String> resources,
				List<String> names, Set<String> verbs) {
			if (!verbs.isEmpty()) {
				Map<String, Collection<String>> rule = new LinkedHashMap<>();
				rule.put("apiGroups", List.of(group));
				rule.put("resources", resources);
				if (!names.isEmpty()) {
					rule.put("resourceNames", names);
				}
				rule.put("verbs", List.copyOf(verbs));
				rules.add(rule);
			}
		}

	}

	/**
	 * Writes a list of texts in one line, so that a manifest in a log has half as many.
	 */
	private static final class CompactRepresenter extends Representer {

		CompactRepresenter(DumperOptions options) {
			super(options);
		}

		@Override
		protected Node representSequence(Tag tag, Iterable<?> sequence, FlowStyle flowStyle) {
			boolean texts = sequence.iterator().next() instanceof String;
			return super.representSequence(tag, sequence, texts ? FlowStyle.FLOW : flowStyle);
		}

	}

}
