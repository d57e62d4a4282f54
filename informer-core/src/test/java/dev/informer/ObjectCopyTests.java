/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ObjectCopy}.
 */
class ObjectCopyTests {

	private final V1Pod pod = new V1Pod()
		.metadata(new V1ObjectMeta().name("a")
			.creationTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z"))
			.labels(Map.of("app", "web"))
			.addManagedFieldsItem(new V1ManagedFieldsEntry().fieldsV1(Map.of("f:spec", Map.of()))))
		.spec(new V1PodSpec().addContainersItem(new V1Container().name("main")
			.ports(List.of(new V1ContainerPort().containerPort(80)))
			.livenessProbe(new V1Probe().httpGet(new V1HTTPGetAction().port(new IntOrString("http"))))
			.resources(new V1ResourceRequirements().putLimitsItem("cpu", Quantity.fromString("500m")))));

	@Test
	void copy_isEqual() {
		assertThat(ObjectCopy.of(this.pod)).isEqualTo(this.pod).isNotSameAs(this.pod);
	}

	@Test
	void nullAndEmptyCollections_remain() {
		this.pod.getSpec().setContainers(null);
		this.pod.getSpec().setVolumes(List.of());
		V1Pod copy = ObjectCopy.of(this.pod);
		assertThat(copy.getSpec().getContainers()).isNull();
		assertThat(copy.getSpec().getVolumes()).isNotNull().isEmpty();
	}

	@Test
	@SuppressWarnings("unchecked")
	void copy_canBeModifiedWithoutTheObject() {
		V1Pod expected = ObjectCopy.of(this.pod);
		V1Pod copy = ObjectCopy.of(this.pod);
		copy.getMetadata().getLabels().put("app", "changed");
		((Map<String, Object>) copy.getMetadata().getManagedFields().get(0).getFieldsV1()).put("f:status", "changed");
		V1Container container = copy.getSpec().getContainers().get(0);
		container.getPorts().get(0).setContainerPort(81);
		container.getLivenessProbe().getHttpGet().setPort(new IntOrString(1));
		container.getResources().getLimits().clear();
		copy.getSpec().getContainers().add(new V1Container());
		assertThat(this.pod).isEqualTo(expected).isNotEqualTo(copy);
	}

	@Test
	void bytes_areCopied() {
		V1Secret secret = new V1Secret().putDataItem("key", "value".getBytes(StandardCharsets.UTF_8));
		V1Secret copy = ObjectCopy.of(secret);
		copy.getData().values().forEach((bytes) -> bytes[0] = 'V');
		assertThat(secret.getData().get("key")).asString(StandardCharsets.UTF_8).isEqualTo("value");
	}

	@Test
	void untypedObject_isCopied() {
		DynamicKubernetesObject object = new DynamicKubernetesObject(
				(JsonObject) JsonParser.parseString("{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"size\": 1}}"));
		DynamicKubernetesObject copy = ObjectCopy.of(object);
		assertThat(copy.getRaw()).isEqualTo(object.getRaw());
		copy.getRaw().getAsJsonObject("spec").addProperty("size", 2);
		assertThat(object.getRaw().getAsJsonObject("spec").get("size").getAsInt()).isEqualTo(1);
	}

	@Test
	void customResource_isCopiedWithTheValuesOfItsSuperclass() {
		Widget widget = new Widget();
		widget.metadata = new V1ObjectMeta().name("a");
		widget.sizes = List.of(1, 2);
		widget.active = true;
		Widget copy = ObjectCopy.of(widget);
		assertThat(copy.metadata).isEqualTo(widget.metadata).isNotSameAs(widget.metadata);
		assertThat(copy.sizes).containsExactly(1, 2);
		assertThat(copy.active).isTrue();
		copy.sizes.add(3);
		assertThat(widget.sizes).hasSize(2);
	}

	@Test
	void objectThatCannotBeDecoded_cannotBeCopied() {
		KubernetesObject unsupported = new Unsupported(new V1ObjectMeta(), () -> {
		});
		assertThatIllegalArgumentException().isThrownBy(() -> ObjectCopy.of(unsupported))
			.withMessageContaining(Unsupported.class.getName() + ".action: java.lang.Runnable is an interface");
	}

	/** Superclass of a custom resource. */
	static class Sized {

		List<Integer> sizes = new ArrayList<>();

	}

	/** Custom resource. */
	static final class Widget extends Sized implements KubernetesObject {

		V1ObjectMeta metadata = new V1ObjectMeta();

		boolean active;

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
			return "Widget";
		}

	}

	/** Object of a class that cannot be decoded. */
	private record Unsupported(V1ObjectMeta metadata, Runnable action) implements KubernetesObject {

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
			return "Unsupported";
		}

	}

}
