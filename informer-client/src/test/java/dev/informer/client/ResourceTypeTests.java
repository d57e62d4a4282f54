/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the names of a {@link ResourceType}.
 */
class ResourceTypeTests {

	@ParameterizedTest
	@CsvSource({ "certificates.v1.cert-manager.io,certificates,v1,cert-manager.io",
			"widgets.v1beta2.example.com,widgets,v1beta2,example.com", "deployments.v1.apps,deployments,v1,apps",
			"vaults.v1api20200601.example.com,vaults,v1api20200601,example.com",
			"vaults.v1-rc1.example.com,vaults,v1-rc1,example.com", "vaults.v2io,vaults,'',v2io", "pods.v1,pods,v1,''" })
	void nameWithVersion_isParsed(String text, String plural, String version, String group) {
		assertThat(named(text)).isEqualTo(resource(plural, version, group));
	}

	@Test
	void nameWithoutVersion_denotesPreferredVersion() {
		assertThat(named("deployments.apps")).isEqualTo(resource("deployments", "", "apps"));
		assertThat(named("pods")).isEqualTo(resource("pods", "", ""));
		assertThat(named("rules.vpc.example.com")).isEqualTo(resource("rules", "", "vpc.example.com"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Pods", "pods.", ".v1", "a..b", "apis/x", "a b" })
	void invalidName_isRejected(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> named(text))
			.withMessageContaining("'" + text + "'")
			.withMessageContaining("plural.version.group");
	}

	@Test
	void kindAndVersionWithDash_areValid() {
		assertThat(ResourceType.of(KeyVault.class))
			.isEqualTo(new ResourceType<>(KeyVault.class, "example.com", "v1-rc1", "vaults", "Key-Vault", true));
	}

	private static ResourceType<DynamicKubernetesObject> named(String text) {
		return ResourceType.named(DynamicKubernetesObject.class, text);
	}

	private static ResourceType<DynamicKubernetesObject> resource(String plural, String version, String group) {
		return new ResourceType<>(DynamicKubernetesObject.class, group, version, plural, "", true);
	}

	@ParameterizedTest
	@CsvSource({ "pods, true", "deployments.v1.apps, true", "leases.coordination.k8s.io, true",
			"ingresses.v1beta1.networking.k8s.io, true", "gateways.gateway.networking.k8s.io, false",
			"volumesnapshots.snapshot.storage.k8s.io, false", "pods.metrics.k8s.io, false", "pods.example, false" })
	void resourceOfKubernetes_isKnown(String name, boolean builtIn) {
		assertThat(named(name).isBuiltIn()).isEqualTo(builtIn);
	}

	@CustomResource(group = "example.com", version = "v1-rc1", plural = "vaults", kind = "Key-Vault")
	static final class KeyVault implements KubernetesObject {

		@Override
		public String getApiVersion() {
			return "example.com/v1-rc1";
		}

		@Override
		public String getKind() {
			return "Key-Vault";
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return new V1ObjectMeta();
		}

	}

}
