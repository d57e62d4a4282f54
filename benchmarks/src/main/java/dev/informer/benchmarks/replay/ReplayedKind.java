/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.util.List;

/**
 * Representation of the objects of a resource. Immutable.
 */
final class ReplayedKind {

	private static final byte[] OPEN = Bytes.of("{");

	private static final byte[] EVENT_OBJECT = Bytes.of("\",\"object\":");

	private static final byte[] EVENT_TYPE = Bytes.of("{\"type\":\"");

	private static final byte[] EVENT_END = Bytes.of("}\n");

	/** Number of workloads of which one is a stateful set, if there are two templates. */
	private static final int STATEFUL = 4;

	private final byte[] listStart;

	private final byte[] typeMeta;

	private final boolean typedItems;

	private final List<ObjectTemplate> templates;

	private ReplayedKind(String apiVersion, String kind, boolean typedItems, List<ObjectTemplate> templates) {
		this.listStart = Bytes.of("{\"kind\":\"" + kind + "List\",\"apiVersion\":\"" + apiVersion
				+ "\",\"metadata\":{\"resourceVersion\":\"");
		this.typeMeta = Bytes.of("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",");
		this.typedItems = typedItems;
		this.templates = templates;
	}

	/**
	 * Return pods of about 9 KB, of deployments and of stateful sets.
	 */
	static ReplayedKind pods() {
		return new ReplayedKind("v1", "Pod", false,
				List.of(ObjectTemplate.read("pod-of-deployment.json"), ObjectTemplate.read("pod-of-statefulset.json")));
	}

	/**
	 * Return the metadata of such pods.
	 */
	static ReplayedKind podMetadata() {
		return new ReplayedKind("meta.k8s.io/v1", "PartialObjectMetadata", true,
				List.of(ObjectTemplate.readMetadata("pod-of-deployment.json"),
						ObjectTemplate.readMetadata("pod-of-statefulset.json")));
	}

	/**
	 * Return objects of a few hundred bytes.
	 */
	static ReplayedKind small(String apiVersion, String kind) {
		return new ReplayedKind(apiVersion, kind, false, List.of(ObjectTemplate.read("small-object.json")));
	}

	/**
	 * Write the beginning of a list, up to its resource version.
	 */
	void writeListStart(JsonOutput out) throws IOException {
		out.text(this.listStart);
	}

	/**
	 * Write an item of a list: as the API server does, without kind and version.
	 */
	void writeItem(ObjectState object, JsonOutput out) throws IOException {
		out.text(this.typedItems ? this.typeMeta : OPEN);
		template(object).write(object, out);
	}

	void writeEvent(EventType type, ObjectState object, JsonOutput out) throws IOException {
		out.text(EVENT_TYPE);
		out.text(type.text());
		out.text(EVENT_OBJECT);
		out.text(this.typeMeta);
		template(object).write(object, out);
		out.text(EVENT_END);
	}

	/**
	 * Write the bookmark at the end of the initial events.
	 */
	void writeBookmark(long resourceVersion, JsonOutput out) throws IOException {
		out.text(Bytes.of("{\"type\":\"BOOKMARK\",\"object\":"));
		out.text(this.typeMeta);
		out.text(Bytes.of("\"metadata\":{\"resourceVersion\":\"" + resourceVersion
				+ "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n"));
	}

	private ObjectTemplate template(ObjectState object) {
		boolean stateful = object.workload() % STATEFUL == STATEFUL - 1;
		return this.templates.get(stateful ? this.templates.size() - 1 : 0);
	}

}
