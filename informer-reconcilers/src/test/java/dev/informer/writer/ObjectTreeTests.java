/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.annotations.SerializedName;
import dev.informer.client.ResourceType;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1EmptyDirVolumeSource;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1NetworkPolicyIngressRule;
import io.kubernetes.client.openapi.models.V1NetworkPolicySpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ObjectTree}.
 */
class ObjectTreeTests {

	static Stream<Class<? extends KubernetesObject>> models() {
		return ResourceType.official()
			.values()
			.stream()
			.<Class<? extends KubernetesObject>>map(ResourceType::type)
			.distinct();
	}

	@ParameterizedTest
	@MethodSource("models")
	void modelWithNothingSet_hasMetadataOnly(Class<? extends KubernetesObject> type) throws Exception {
		KubernetesObject object = type.getConstructor().newInstance();
		type.getMethod("setMetadata", V1ObjectMeta.class).invoke(object, new V1ObjectMeta().name("a"));
		assertThat(ValueType.jsonOf(object)).isEqualTo(json("{'metadata': {'name': 'a'}}"));
	}

	@Test
	void setProperties_areWrittenAsByTheOfficialClient() {
		V1Pod pod = new V1Pod()
			.metadata(new V1ObjectMeta().name("a")
				.creationTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z"))
				.labels(Map.of("a", "b")))
			.spec(new V1PodSpec().terminationGracePeriodSeconds(30L)
				.addContainersItem(new V1Container().name("c")
					.image("i")
					.addPortsItem(new V1ContainerPort().containerPort(80))
					.resources(new V1ResourceRequirements().putRequestsItem("cpu", Quantity.fromString("250m")))
					.livenessProbe(new V1Probe().httpGet(new V1HTTPGetAction().port(new IntOrString("web"))))
					.readinessProbe(new V1Probe().httpGet(new V1HTTPGetAction().port(new IntOrString(8080)))))
				.addVolumesItem(new V1Volume().name("v").emptyDir(new V1EmptyDirVolumeSource())));
		assertThat(ValueType.jsonOf(pod)).isEqualTo(withoutEmptyCollections(JSON.getGson().toJsonTree(pod)));
		V1Secret secret = new V1Secret().putDataItem("a", "b>c".getBytes(StandardCharsets.UTF_8)).immutable(true);
		assertThat(ValueType.jsonOf(secret)).isEqualTo(withoutEmptyCollections(JSON.getGson().toJsonTree(secret)))
			.isEqualTo(json("{'data': {'a': 'Yj5j'}, 'immutable': true}"));
	}

	private static JsonElement withoutEmptyCollections(JsonElement tree) {
		if (tree instanceof JsonObject object) {
			for (Map.Entry<String, JsonElement> entry : new TreeMap<>(object.asMap()).entrySet()) {
				JsonElement value = withoutEmptyCollections(entry.getValue());
				boolean empty = (value.isJsonArray() && value.getAsJsonArray().isEmpty()) || (value.isJsonObject()
						&& value.getAsJsonObject().isEmpty() && !entry.getKey().equals("emptyDir"));
				if (empty) {
					object.remove(entry.getKey());
				}
			}
		}
		else if (tree.isJsonArray()) {
			tree.getAsJsonArray().forEach(ObjectTreeTests::withoutEmptyCollections);
		}
		return tree;
	}

	@Test
	void emptyObject_isWritten() {
		V1NetworkPolicy policy = new V1NetworkPolicy().spec(new V1NetworkPolicySpec().podSelector(new V1LabelSelector())
			.addIngressItem(new V1NetworkPolicyIngressRule()));
		assertThat(ValueType.jsonOf(policy)).isEqualTo(json("{'spec': {'podSelector': {}, 'ingress': [{}]}}"));
	}

	@Test
	void containerWithoutArguments_hasNoEmptyList() {
		V1Deployment deployment = new V1Deployment().spec(new V1DeploymentSpec().template(new V1PodTemplateSpec()
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("c").image("i")))));
		assertThat(ValueType.jsonOf(deployment))
			.isEqualTo(json("{'spec': {'template': {'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}}}"));
	}

	@Test
	void emptyListThatWasSet_isWritten() {
		Tenant tenant = Tenant.of("ns", "a");
		tenant.spec().admins = List.of();
		assertThat(ValueType.jsonOf(tenant))
			.isEqualTo(json("{'metadata': {'namespace': 'ns', 'name': 'a'}, 'spec': {'admins': [], 'replicas': 0}}"));
	}

	@Test
	void untypedValues_areKeptAsTheyAre() {
		V1JSONSchemaProps schema = new V1JSONSchemaProps()._default(Map.of("a", List.of(1, "b", Map.of())));
		assertThat(ValueType.jsonOf(schema)).isEqualTo(json("{'default': {'a': [1, 'b', {}]}}"));
		JsonObject raw = json("{'apiVersion': 'v1', 'kind': 'ConfigMap', 'data': {}, 'other': null}").getAsJsonObject();
		JsonObject tree = ValueType.jsonOf(new DynamicKubernetesObject(raw)).getAsJsonObject();
		assertThat(tree).isEqualTo(raw).isNotSameAs(raw);
		assertThat(new String(ObjectTree.bytes(tree), StandardCharsets.UTF_8)).contains("\"other\":null");
	}

	@Test
	void nameOfGson_isUsed() {
		assertThat(ValueType.jsonOf(new Named())).isEqualTo(json("{'first-name': 'a'}"));
	}

	@Test
	void nonAsciiText_isWritten() {
		V1ConfigMap configMap = new V1ConfigMap().putDataItem("a", "<ä\u2028>");
		byte[] bytes = ObjectTree.bytes(ValueType.jsonOf(configMap));
		assertThat(JsonParser.parseString(new String(bytes, StandardCharsets.UTF_8)))
			.isEqualTo(ValueType.jsonOf(configMap));
	}

	@Test
	void objectThatContainsItself_isRefused() {
		Node node = new Node();
		node.next = node;
		assertThatIllegalArgumentException().isThrownBy(() -> ValueType.jsonOf(node))
			.withMessageContaining("contains itself");
	}

	private static JsonElement json(String text) {
		return JsonParser.parseString(text.replace('\'', '"'));
	}

	static final class Named {

		@SerializedName(value = "first-name", alternate = "firstName")
		String name = "a";

		transient String ignored = "b";

	}

	static final class Node {

		Object next = "";

	}

}
