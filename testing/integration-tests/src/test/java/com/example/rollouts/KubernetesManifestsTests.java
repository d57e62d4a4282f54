/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.spring.InformerRegistry;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@EmbeddedClusterTest
class KubernetesManifestsTests {

	@Autowired
	private InformerRegistry informers;

	@Autowired
	private RestTestClient client;

	@Test
	void clusterRole_grantsExactlyTheRightsOfTheInformers() throws IOException {
		List<V1PolicyRule> rules = Objects.requireNonNull(Manifests.read(V1ClusterRole.class).getRules());
		assertThat(rules).allSatisfy((rule) -> {
			assertThat(rule.getVerbs()).containsExactly("list", "watch");
			assertThat(rule.getResourceNames()).isNullOrEmpty();
			assertThat(rule.getNonResourceURLs()).isNullOrEmpty();
		});
		Set<String> needed = this.informers.informers()
			.stream()
			.map(SharedIndexInformer::resourceType)
			.map(ResourceType::qualifiedName)
			.collect(Collectors.toSet());
		assertThat(rules.stream().flatMap(KubernetesManifestsTests::resources))
			.containsExactlyInAnyOrderElementsOf(needed);
	}

	@Test
	void rbacEndpoint_returnsTheRulesOfTheManifests() throws IOException {
		String yaml = this.client.get()
			.uri("/actuator/informerrbac")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		V1ClusterRole role = Yaml.loadAs(yaml, V1ClusterRole.class);
		assertThat(role.getMetadata().getName()).isEqualTo("rollouts-informers");
		assertThat(rights(role)).isEqualTo(rights(Manifests.read(V1ClusterRole.class)));
	}

	private static Set<String> rights(V1ClusterRole role) {
		Set<String> rights = new TreeSet<>();
		role.getRules()
			.forEach((rule) -> rule.getApiGroups()
				.forEach((group) -> rule.getResources()
					.forEach((resource) -> rule.getVerbs()
						.forEach((verb) -> rights.add(verb + " " + resource + "." + group)))));
		return rights;
	}

	@Test
	void clusterRole_isBoundToServiceAccountOfDeployment() throws IOException {
		V1ClusterRoleBinding binding = Manifests.read(V1ClusterRoleBinding.class);
		assertThat(binding.getRoleRef().getKind()).isEqualTo("ClusterRole");
		assertThat(binding.getRoleRef().getName())
			.isEqualTo(Manifests.read(V1ClusterRole.class).getMetadata().getName());
		String account = Manifests.read(V1ServiceAccount.class).getMetadata().getName();
		assertThat(binding.getSubjects()).singleElement()
			.returns("ServiceAccount", RbacV1Subject::getKind)
			.returns(account, RbacV1Subject::getName);
		assertThat(podSpec().getServiceAccountName()).isEqualTo(account);
	}

	@Test
	void probes_useExistingPaths() throws IOException {
		V1Container container = podSpec().getContainers().get(0);
		assertThat(path(container.getStartupProbe())).isEqualTo("/actuator/health/readiness");
		assertThat(path(container.getReadinessProbe())).isEqualTo("/actuator/health/readiness");
		assertThat(path(container.getLivenessProbe())).isEqualTo("/actuator/health/liveness");
		assertThat(Stream.of(container.getStartupProbe(), container.getReadinessProbe(), container.getLivenessProbe()))
			.allSatisfy((probe) -> {
				this.client.get().uri(path(probe)).exchange().expectStatus().isOk();
				assertThat(probe.getHttpGet().getPort()).hasToString("http");
			});
		assertThat(container.getPorts()).singleElement().returns("http", (port) -> port.getName());
	}

	@Test
	void pod_runsWithRestrictedPrivileges() throws IOException {
		V1Container container = podSpec().getContainers().get(0);
		assertThat(podSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
		assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
		assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
		assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
		assertThat(container.getResources().getRequests()).containsKeys("cpu", "memory");
		assertThat(container.getResources().getLimits()).containsKey("memory");
	}

	@Test
	void manifests_setNoNamespace() throws IOException {
		assertThat(Manifests.all()).hasSize(4)
			.map(KubernetesObject::getMetadata)
			.allSatisfy((metadata) -> assertThat(metadata.getNamespace()).isNull());
	}

	private static Stream<String> resources(V1PolicyRule rule) {
		return Objects.requireNonNull(rule.getResources())
			.stream()
			.flatMap((resource) -> Objects.requireNonNull(rule.getApiGroups())
				.stream()
				.map((group) -> group.isEmpty() ? resource : resource + "." + group));
	}

	private static String path(V1Probe probe) {
		return probe.getHttpGet().getPath();
	}

	private static V1PodSpec podSpec() throws IOException {
		return Manifests.read(V1Deployment.class).getSpec().getTemplate().getSpec();
	}

}
