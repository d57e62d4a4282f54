/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Representation of the objects of a resource in JSON, from templates. Immutable.
 */
final class JsonKind implements ReplayedKind {

	private static final String MEDIA_TYPE = "application/json";

	private static final byte[] CONTINUE = Bytes.of("\",\"continue\":\"");

	private static final byte[] REMAINING = Bytes.of("\",\"remainingItemCount\":");

	private static final byte[] ITEMS_BEHIND_TEXT = Bytes.of("\"},\"items\":[");

	private static final byte[] ITEMS = Bytes.of("},\"items\":[");

	private static final byte[] COMMA = Bytes.of(",");

	private static final byte[] END = Bytes.of("]}\n");

	private static final byte[] EXPIRED = Bytes.of("{\"type\":\"ERROR\",\"object\":" + ReplayedStatus.EXPIRED + "}\n");

	private static final byte[] OPEN = Bytes.of("{");

	private static final byte[] EVENT_OBJECT = Bytes.of("\",\"object\":");

	private static final byte[] EVENT_TYPE = Bytes.of("{\"type\":\"");

	private static final byte[] EVENT_END = Bytes.of("}\n");

	/** Number of workloads of which one is a stateful set, if there are two templates. */
	private static final int STATEFUL = 4;

	private final String apiVersion;

	private final String kind;

	private final byte[] listStart;

	private final byte[] typeMeta;

	private final boolean typedItems;

	private final List<ObjectTemplate> templates;

	private JsonKind(String apiVersion, String kind, boolean typedItems, List<ObjectTemplate> templates) {
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.listStart = Bytes.of("{\"kind\":\"" + kind + "List\",\"apiVersion\":\"" + apiVersion
				+ "\",\"metadata\":{\"resourceVersion\":\"");
		this.typeMeta = Bytes.of("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",");
		this.typedItems = typedItems;
		this.templates = templates;
	}

	/**
	 * Return pods of about 9 KB.
	 */
	static JsonKind pods(PodMake make) {
		return new JsonKind("v1", "Pod", false, make.templates().stream().map(ObjectTemplate::read).toList());
	}

	/**
	 * Return the metadata of such pods.
	 */
	static JsonKind podMetadata(PodMake make) {
		return new JsonKind("meta.k8s.io/v1", "PartialObjectMetadata", true,
				make.templates().stream().map(ObjectTemplate::readMetadata).toList());
	}

	/**
	 * Return objects of a few hundred bytes.
	 */
	static JsonKind small(String apiVersion, String kind) {
		return new JsonKind(apiVersion, kind, false, List.of(ObjectTemplate.read("small-object.json")));
	}

	/**
	 * Return services of about 1 KB.
	 * @param namespace the namespace of all of them; {@code null} for different ones
	 */
	static JsonKind services(@Nullable String namespace) {
		return new JsonKind("v1", "Service", false, List.of(ObjectTemplate.read("service.json", namespace)));
	}

	String apiVersion() {
		return this.apiVersion;
	}

	String kind() {
		return this.kind;
	}

	@Override
	public String listType() {
		return MEDIA_TYPE;
	}

	@Override
	public String watchType() {
		return MEDIA_TYPE;
	}

	@Override
	public void writeList(ReplayedPage page, BodyOutput out) throws IOException {
		out.text(this.listStart);
		out.number(page.version());
		if (page.remaining() > 0) {
			out.text(CONTINUE);
			out.number(page.end());
			out.text(REMAINING);
			out.number(page.remaining());
		}
		out.text((page.remaining() > 0) ? ITEMS : ITEMS_BEHIND_TEXT);
		for (int index = page.first(); index < page.end(); index++) {
			if (index > page.first()) {
				out.text(COMMA);
			}
			writeItem(page.history().state(index), out);
		}
		out.text(END);
		out.flush();
	}

	/**
	 * Write an item of a list: as the API server does, without kind and version.
	 */
	void writeItem(ObjectState object, BodyOutput out) throws IOException {
		out.text(this.typedItems ? this.typeMeta : OPEN);
		template(object).write(object, out);
	}

	@Override
	public void writeEvent(EventType type, ObjectState object, BodyOutput out) throws IOException {
		out.text(EVENT_TYPE);
		out.text(type.text());
		out.text(EVENT_OBJECT);
		out.text(this.typeMeta);
		template(object).write(object, out);
		out.text(EVENT_END);
	}

	@Override
	public void writeBookmark(long resourceVersion, BodyOutput out) throws IOException {
		out.text(Bytes.of("{\"type\":\"BOOKMARK\",\"object\":"));
		out.text(this.typeMeta);
		out.text(Bytes.of("\"metadata\":{\"resourceVersion\":\"" + resourceVersion
				+ "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n"));
	}

	@Override
	public void writeExpired(BodyOutput out) throws IOException {
		out.text(EXPIRED);
	}

	private ObjectTemplate template(ObjectState object) {
		boolean stateful = object.workload() % STATEFUL == STATEFUL - 1;
		return this.templates.get(stateful ? this.templates.size() - 1 : 0);
	}

}
