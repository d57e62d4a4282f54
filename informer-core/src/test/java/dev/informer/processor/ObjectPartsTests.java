/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.google.gson.JsonParser;
import dev.informer.ChangedPart;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;

import static dev.informer.ChangedPart.ANNOTATIONS;
import static dev.informer.ChangedPart.LABELS;
import static dev.informer.ChangedPart.OWNERS;
import static dev.informer.ChangedPart.SPEC;
import static dev.informer.ChangedPart.STATUS;
import static dev.informer.test.support.TestObjects.onNode;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObjectParts}.
 */
class ObjectPartsTests {

	@Test
	void resourceVersion_isNoChangedPart() {
		assertThat(differences(pod("a", 1), pod("a", 2))).isEmpty();
	}

	@Test
	void eachPart_isDetected() {
		V1Pod pod = pod("a", 1);
		assertThat(differences(pod, onNode(pod("a", 2), "node1"))).containsExactly(SPEC);
		assertThat(differences(pod, pod("a", 2).status(new V1PodStatus().phase("Running")))).containsExactly(STATUS);
		V1Pod labelled = pod("a", 2);
		labelled.getMetadata().labels(Map.of("tier", "web"));
		assertThat(differences(pod, labelled)).containsExactly(LABELS);
		V1Pod annotated = pod("a", 2);
		annotated.getMetadata().annotations(Map.of("tier", "web"));
		assertThat(differences(pod, annotated)).containsExactly(ANNOTATIONS);
		V1Pod owned = pod("a", 2);
		owned.getMetadata().ownerReferences(List.of(new V1OwnerReference().uid("u")));
		assertThat(differences(pod, owned)).containsExactly(OWNERS);
	}

	@Test
	void nullAndEmpty_areEqual() {
		V1Pod empty = pod("a", 2);
		empty.getMetadata().labels(Map.of()).annotations(Map.of()).ownerReferences(List.of());
		assertThat(differences(pod("a", 1), empty)).isEmpty();
	}

	@Test
	void data_countsAsSpec() {
		assertThat(differences(configMap("1").data(Map.of("key", "1")), configMap("2").data(Map.of("key", "2"))))
			.containsExactly(SPEC);
		assertThat(differences(configMap("1").data(Map.of("key", "1")), configMap("2").data(Map.of("key", "1"))))
			.isEmpty();
	}

	@Test
	void bytes_areComparedByTheirContents() {
		V1ConfigMap bytes = configMap("1").putBinaryDataItem("key", new byte[] { 1, 2 });
		assertThat(differences(bytes, configMap("2").putBinaryDataItem("key", new byte[] { 1, 2 }))).isEmpty();
		assertThat(differences(bytes, configMap("2").putBinaryDataItem("key", new byte[] { 1, 3 })))
			.containsExactly(SPEC);
	}

	@Test
	void dynamicObject_isComparedByItsMembers() {
		KubernetesObject object = untyped("1", "1", "1");
		assertThat(differences(object, untyped("2", "1", "1"))).isEmpty();
		assertThat(differences(object, untyped("2", "2", "1"))).containsExactly(SPEC);
		assertThat(differences(object, untyped("2", "1", "2"))).containsExactly(STATUS);
	}

	@Test
	void customClass_isComparedByItsFields() {
		assertThat(differences(new Tenant("free"), new Tenant("free"))).isEmpty();
		assertThat(differences(new Tenant("free"), new Tenant("gold"))).containsExactly(SPEC);
	}

	private static Set<ChangedPart> differences(KubernetesObject one, KubernetesObject other) {
		return EnumSet.allOf(ChangedPart.class)
			.stream()
			.filter((part) -> ObjectParts.differ(one, other, Set.of(part)))
			.collect(Collectors.toSet());
	}

	private static V1ConfigMap configMap(String version) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name("a").resourceVersion(version));
	}

	private static KubernetesObject untyped(String version, String spec, String status) {
		return new DynamicKubernetesObject(JsonParser.parseString("""
				{ "kind": "Tenant", "metadata": { "name": "a", "resourceVersion": "%s" },
				  "spec": { "plan": "%s" }, "status": { "phase": "%s" } }""".formatted(version, spec, status))
			.getAsJsonObject());
	}

	/**
	 * Custom resource without getters.
	 */
	private static final class Tenant implements KubernetesObject {

		private final V1ObjectMeta metadata = new V1ObjectMeta().name("a");

		private final String plan;

		Tenant(String plan) {
			this.plan = plan;
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Tenant of plan " + this.plan;
		}

	}

}
