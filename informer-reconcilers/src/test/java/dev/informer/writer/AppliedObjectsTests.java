/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.time.OffsetDateTime;
import java.util.Map;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AppliedObjects}.
 */
class AppliedObjectsTests {

	private static final byte[] BODY = { 1 };

	private final AppliedObjects applied = new AppliedObjects(2);

	@Test
	void sameBodyAndState_isApplied() {
		this.applied.applied("a", 1, BODY, object((metadata) -> {
		}));
		assertThat(this.applied.isApplied("a", 1, BODY, object((metadata) -> metadata.resourceVersion("6")))).isTrue();
		assertThat(this.applied.isApplied("a", 1, new byte[] { 2 }, object((metadata) -> {
		}))).isFalse();
		assertThat(this.applied.isApplied("b", 1, BODY, object((metadata) -> {
		}))).isFalse();
		this.applied.forget("a");
		assertThat(this.applied.isApplied("a", 1, BODY, object((metadata) -> {
		}))).isFalse();
	}

	@Test
	void changeOfOthers_isNoticed() {
		this.applied.applied("a", 1, BODY, object((metadata) -> {
		}));
		assertNoticed((metadata) -> metadata.uid("v"));
		assertNoticed((metadata) -> metadata.generation(3L));
		assertNoticed((metadata) -> metadata.labels(Map.of("x", "y")));
		assertNoticed((metadata) -> metadata.annotations(Map.of("x", "y")));
		assertNoticed((metadata) -> metadata.addFinalizersItem("x"));
		assertNoticed((metadata) -> metadata.addOwnerReferencesItem(new V1OwnerReference().uid("x")));
		assertNoticed((metadata) -> metadata.deletionTimestamp(OffsetDateTime.parse("2026-01-01T00:00:00Z")));
	}

	private void assertNoticed(Consumer<V1ObjectMeta> change) {
		assertThat(this.applied.isApplied("a", 1, BODY, object((metadata) -> {
			metadata.resourceVersion("6");
			change.accept(metadata);
		}))).isFalse();
	}

	@Test
	void sameVersion_isApplied_whateverATransformRemoves() {
		this.applied.applied("a", 1, BODY, object((metadata) -> metadata.labels(Map.of("x", "y"))));
		V1Deployment transformed = object((metadata) -> {
		}).spec(null);
		assertThat(this.applied.isApplied("a", 1, BODY, transformed)).isTrue();
		assertThat(this.applied.isApplied("a", 2, BODY, transformed)).isFalse();
		assertThat(this.applied.isApplied("a", 1, new byte[] { 2 }, transformed)).isFalse();
		assertThat(this.applied.isApplied("a", 1, BODY, object((metadata) -> metadata.uid("v")))).isFalse();
		assertThat(this.applied.isApplied("a", 1, BODY, object((metadata) -> metadata.resourceVersion("6")))).isFalse();
	}

	@Test
	void withoutGeneration_versionCounts() {
		this.applied.applied("a", 1, BODY, object((metadata) -> metadata.generation(null)));
		assertThat(this.applied.isApplied("a", 1, BODY, object((metadata) -> metadata.generation(null)))).isTrue();
		assertThat(this.applied.isApplied("a", 1, BODY,
				object((metadata) -> metadata.generation(null).resourceVersion("6"))))
			.isFalse();
	}

	@Test
	void withoutSpec_versionCounts() {
		V1Deployment before = object((metadata) -> {
		}).spec(null);
		this.applied.applied("a", 1, BODY, before);
		assertThat(this.applied.isApplied("a", 1, BODY, before)).isTrue();
		assertThat(this.applied.isApplied("a", 1, BODY, object((metadata) -> metadata.resourceVersion("6")).spec(null)))
			.isFalse();
	}

	@Test
	void moreThanMaximum_forgetsThoseAppliedFirst() {
		V1Deployment object = object((metadata) -> {
		});
		this.applied.applied("a", 1, BODY, object);
		this.applied.applied("b", 1, BODY, object);
		assertThat(this.applied.isApplied("a", 1, BODY, object)).isTrue();
		this.applied.applied("c", 1, BODY, object);
		assertThat(this.applied.isApplied("b", 1, BODY, object)).isFalse();
		assertThat(this.applied.isApplied("a", 1, BODY, object)).isTrue();
	}

	@Test
	void anotherEpoch_isNotApplied() {
		V1Deployment object = object((metadata) -> {
		});
		this.applied.applied("a", 1, BODY, object);
		assertThat(this.applied.isApplied("a", 2, BODY, object)).isFalse();
	}

	private static V1Deployment object(Consumer<V1ObjectMeta> change) {
		V1ObjectMeta metadata = new V1ObjectMeta().uid("u").generation(2L).resourceVersion("5");
		change.accept(metadata);
		return new V1Deployment().metadata(metadata).spec(new V1DeploymentSpec());
	}

}
