/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Field that differs between the objects of one template. Names, nodes and images repeat
 * as they do in a cluster; addresses, identifiers and times do not.
 */
enum ObjectField {

	NAME("name", (object, out) -> {
		workload(object, out);
		out.text(Words.DASH);
		out.number(object.index());
	}),

	NAMESPACE("namespace", (object, out) -> {
		out.text(Words.namespace(object.namespace()));
		out.number(object.namespace());
	}),

	WORKLOAD("workload", ObjectField::workload),

	UID("uid", (object, out) -> uuid(object.random(2), object.random(3), out)),

	OWNER_UID("ownerUid", (object, out) -> uuid(object.randomOfWorkload(2), object.randomOfWorkload(3), out)),

	RESOURCE_VERSION("resourceVersion", (object, out) -> out.number(object.resourceVersion())),

	REVISION("revision", (object, out) -> out.number(object.revision())),

	ROLLED_OUT("rolledOut", (object, out) -> out.time(Times.rolledOut(object))),

	CREATED("created", (object, out) -> out.time(Times.created(object))),

	STARTED("started", (object, out) -> out.time(Times.created(object) + 4)),

	CHANGED("changed", (object, out) -> out.time(Times.changed(object))),

	HASH("hash", (object, out) -> out.hex(object.randomOfWorkload(4), 10)),

	/** Unique among the objects of a workload. */
	SUFFIX("suffix", (object, out) -> {
		out.hex(object.random(4), 3);
		out.padded(object.replica(), 2);
	}),

	ORDINAL("ordinal", (object, out) -> out.number(object.replica())),

	VERSION("version", (object, out) -> {
		out.text(Words.VERSION);
		out.number(object.workload() % 30);
		out.text(Words.DOT);
		out.number(object.workload() % 7);
	}),

	CONFIG_CHECKSUM("configChecksum", (object, out) -> digest(object.randomOfWorkload(5), out)),

	IMAGE_DIGEST("imageDigest", (object, out) -> digest(object.randomOfWorkload(6), out)),

	CONTAINER_ID("containerId", (object, out) -> digest(object.random(6), out)),

	SIDECAR_ID("sidecarId", (object, out) -> digest(object.random(7), out)),

	NODE("node", (object, out) -> {
		out.text(Words.NODE_START);
		out.number(object.node() / 250);
		out.text(Words.DASH);
		out.number(object.node() % 250);
		out.text(Words.NODE_END);
	}),

	HOST_IP("hostIp", (object, out) -> {
		out.text(Words.HOST_NET);
		out.number(object.node() / 250);
		out.text(Words.DOT);
		out.number(object.node() % 250);
	}),

	POD_IP("podIp", (object, out) -> {
		out.text(Words.POD_NET);
		out.number(object.index() / 62_500 % 250);
		out.text(Words.DOT);
		out.number(object.index() / 250 % 250);
		out.text(Words.DOT);
		out.number(object.index() % 250);
	}),

	READY_STATUS("readyStatus", (object, out) -> out.text(isReady(object) ? Words.STATUS_TRUE : Words.STATUS_FALSE)),

	READY("ready", (object, out) -> out.text(isReady(object) ? Words.TRUE : Words.FALSE)),

	RESTARTS("restarts", (object, out) -> out.number(object.revision() / 2));

	private static final Map<String, ObjectField> BY_PLACEHOLDER = Arrays.stream(values())
		.collect(Collectors.toMap((field) -> field.placeholder, Function.identity()));

	private final String placeholder;

	private final Writer writer;

	ObjectField(String placeholder, Writer writer) {
		this.placeholder = placeholder;
		this.writer = writer;
	}

	static ObjectField of(String placeholder) {
		ObjectField field = BY_PLACEHOLDER.get(placeholder);
		if (field == null) {
			throw new IllegalArgumentException(
					"Unknown field '" + placeholder + "'. Use one of " + BY_PLACEHOLDER.keySet());
		}
		return field;
	}

	void write(ObjectState object, BodyOutput out) throws IOException {
		this.writer.write(object, out);
	}

	private static boolean isReady(ObjectState object) {
		return object.revision() % 2 == 0;
	}

	private static void workload(ObjectState object, BodyOutput out) throws IOException {
		out.text(Words.workload(object.workload()));
		out.number(object.workload());
	}

	private static void uuid(long high, long low, BodyOutput out) throws IOException {
		out.hex(high, 8);
		out.text(Words.DASH);
		out.hex(high << 32, 4);
		out.text(Words.UUID_VERSION);
		out.hex(high << 52, 3);
		out.text(Words.UUID_VARIANT);
		out.hex(low, 3);
		out.text(Words.DASH);
		out.hex(low << 16, 12);
	}

	private static void digest(long seed, BodyOutput out) throws IOException {
		for (int part = 0; part < 4; part++) {
			out.hex(ObjectState.mix(seed + part), 16);
		}
	}

	private interface Writer {

		void write(ObjectState object, BodyOutput out) throws IOException;

	}

	private static final class Times {

		/** 2025-11-02T06:40:00Z. */
		private static final long FIRST = 1_762_065_600L;

		private static final long AGE = 200L * 24 * 60 * 60;

		private Times() {
		}

		static long rolledOut(ObjectState object) {
			return FIRST - AGE + Long.remainderUnsigned(object.randomOfWorkload(8), AGE);
		}

		static long created(ObjectState object) {
			return rolledOut(object) + object.replica() * 3;
		}

		static long changed(ObjectState object) {
			return (object.revision() == 0) ? created(object) + 27
					: FIRST + object.revision() * 90 + object.index() % 90;
		}

	}

}
