/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.List;

import dev.informer.client.type.ClassShape.Member;

/**
 * Some models of the official client, with a part of their fields.
 */
final class OfficialShapes {

	private static final String PACKAGE = "io.kubernetes.client.openapi.models.";

	private static final TypeShape TEXT = ScalarShape.STRING;

	private static final TypeShape TEXTS = map(TEXT);

	/** Metadata of which the name, that of the object, is to be added. */
	static final ClassShape UNNAMED_METADATA = metadata();

	private static final ClassShape METADATA = metadata().add(Member.of("name", TEXT));

	private static final ClassShape CONTAINER = model("V1Container").add(Member.of("name", TEXT))
		.add(Member.emptyByDefault(List.of("command"), list(TEXT)))
		.add(Member.emptyByDefault(List.of("env"),
				list(model("V1EnvVar").add(Member.of("name", TEXT)).add(Member.of("value", TEXT)))))
		.add(Member.of("resources", model("V1ResourceRequirements")
			.add(Member.emptyByDefault(List.of("limits"), map(ScalarShape.QUANTITY)))));

	static final List<ClassShape> ALL = List.of(METADATA, CONTAINER,
			model("V1Condition").add(Member.of("type", TEXT))
				.add(Member.of("observedGeneration", ScalarShape.LONG))
				.add(Member.of("lastTransitionTime", ScalarShape.TIME)),
			model("V1LabelSelector").add(Member.emptyByDefault(List.of("matchLabels"), TEXTS))
				.add(Member.emptyByDefault(List.of("matchExpressions"),
						list(model("V1LabelSelectorRequirement").add(Member.of("key", TEXT))
							.add(Member.emptyByDefault(List.of("values"), list(TEXT)))))),
			model("V1PodTemplateSpec").add(Member.of("metadata", METADATA))
				.add(Member.of("spec",
						model("V1PodSpec")
							.add(new Member(List.of("containers"), list(CONTAINER), null, null, true, false))
							.add(Member.emptyByDefault(List.of("nodeSelector"), TEXTS))
							.add(Member.of("hostNetwork", ScalarShape.BOOLEAN)))));

	private OfficialShapes() {
	}

	private static ClassShape model(String name) {
		return new ClassShape(PACKAGE + name);
	}

	private static CollectionShape list(TypeShape elements) {
		return CollectionShape.of(CollectionShape.KINDS.get(0), elements, elements.source());
	}

	private static MapShape map(TypeShape values) {
		return MapShape.of(MapShape.KINDS.get(0), ScalarShape.STRING, values, values.source());
	}

	private static ClassShape metadata() {
		return model("V1ObjectMeta").add(Member.of("uid", TEXT))
			.add(Member.emptyByDefault(List.of("labels"), TEXTS))
			.add(Member.emptyByDefault(List.of("annotations"), TEXTS))
			.add(Member.of("generation", ScalarShape.LONG))
			.add(Member.emptyByDefault(List.of("managedFields"),
					list(model("V1ManagedFieldsEntry").add(Member.of("manager", TEXT))
						.add(Member.of("time", ScalarShape.TIME))
						.add(Member.of("fieldsV1", map(ScalarShape.OBJECT))))))
			.add(Member.of("creationTimestamp", ScalarShape.TIME));
	}

}
