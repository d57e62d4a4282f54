/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.Json;
import dev.informer.test.store.ResourceTable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Discovery documents of the served groups, versions and resources.
 */
final class Discovery {

	private static final Pattern VERSION = Pattern.compile("v([0-9]+)(?:(alpha|beta)([0-9]+))?");

	private static final List<String> VERBS = List.of("create", "delete", "deletecollection", "get", "list", "patch",
			"update", "watch");

	private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

	private final ResourceTable table;

	private final String address;

	Discovery(ResourceTable table, String address) {
		this.table = table;
		this.address = address;
	}

	/**
	 * Return the document of a discovery path.
	 * @param segments the segments of the path
	 * @return the document, empty if the group or version is unknown
	 */
	Optional<ObjectNode> find(List<String> segments) {
		if (segments.equals(List.of("api"))) {
			return Optional.of(coreVersions());
		}
		if (segments.equals(List.of("apis"))) {
			return Optional.of(groups());
		}
		if (segments.get(0).equals("api")) {
			return resources("", segments.get(1));
		}
		return (segments.size() == 2) ? group(segments.get(1)) : resources(segments.get(1), segments.get(2));
	}

	static ObjectNode version() {
		return Json.object()
			.put("major", "1")
			.put("minor", "37")
			.put("gitVersion", "v1.37.2+embedded")
			.put("gitCommit", "")
			.put("gitTreeState", "")
			.put("buildDate", "1970-01-01T00:00:00Z")
			.put("goVersion", "")
			.put("compiler", "")
			.put("platform", "jvm");
	}

	private ObjectNode coreVersions() {
		ObjectNode versions = Json.object().put("kind", "APIVersions");
		versions.putArray("versions").add("v1");
		versions.putArray("serverAddressByClientCIDRs")
			.addObject()
			.put("clientCIDR", "0.0.0.0/0")
			.put("serverAddress", this.address);
		return versions;
	}

	private ObjectNode groups() {
		ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
		ArrayNode groups = list.putArray("groups");
		this.table.all()
			.stream()
			.map(ResourceDefinition::group)
			.filter((group) -> !group.isEmpty())
			.distinct()
			.forEach((group) -> describe(group, groups.addObject()));
		return list;
	}

	private Optional<ObjectNode> group(String group) {
		if (versions(group).isEmpty()) {
			return Optional.empty();
		}
		ObjectNode node = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
		describe(group, node);
		return Optional.of(node);
	}

	private void describe(String group, ObjectNode node) {
		node.put("name", group);
		List<String> versions = versions(group);
		ArrayNode array = node.putArray("versions");
		versions.forEach((version) -> describe(group, version, array.addObject()));
		describe(group, versions.get(0), node.putObject("preferredVersion"));
	}

	private static void describe(String group, String version, ObjectNode node) {
		node.put("groupVersion", group + "/" + version).put("version", version);
	}

	/**
	 * Return the versions of a group by priority: stable before beta and alpha, higher
	 * before lower numbers.
	 */
	private List<String> versions(String group) {
		return this.table.all()
			.stream()
			.filter((definition) -> definition.group().equals(group))
			.map(ResourceDefinition::version)
			.distinct()
			.sorted(Comparator.comparingLong(Discovery::priority).reversed().thenComparing(Comparator.naturalOrder()))
			.toList();
	}

	private static long priority(String version) {
		Matcher matcher = VERSION.matcher(version);
		if (!matcher.matches()) {
			return -1;
		}
		long major = Long.parseLong(matcher.group(1));
		if (matcher.group(2) == null) {
			return 2_000_000 + major * 1000;
		}
		return (matcher.group(2).equals("beta") ? 1_000_000 : 0) + major * 1000 + Long.parseLong(matcher.group(3));
	}

	private Optional<ObjectNode> resources(String group, String version) {
		if (!this.table.hasGroupVersion(group, version)) {
			return Optional.empty();
		}
		ObjectNode list = Json.object().put("kind", "APIResourceList");
		if (!group.isEmpty()) {
			list.put("apiVersion", "v1");
		}
		list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
		ArrayNode resources = list.putArray("resources");
		for (ResourceDefinition definition : this.table.all()) {
			if (definition.group().equals(group) && definition.version().equals(version)) {
				describe(definition, "", definition.kind().toLowerCase(Locale.ROOT), VERBS, resources.addObject());
				if (definition.status()) {
					describe(definition, "/status", "", STATUS_VERBS, resources.addObject());
				}
			}
		}
		return Optional.of(list);
	}

	private static void describe(ResourceDefinition definition, String suffix, String singular, List<String> verbs,
			ObjectNode node) {
		node.put("name", definition.plural() + suffix)
			.put("singularName", singular)
			.put("namespaced", definition.namespaced())
			.put("kind", definition.kind());
		ArrayNode array = node.putArray("verbs");
		verbs.forEach(array::add);
	}

}
