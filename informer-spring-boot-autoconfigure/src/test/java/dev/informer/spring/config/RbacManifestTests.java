/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RbacManifest}.
 */
class RbacManifestTests {

	@Test
	void allNamespaces_requireClusterRole() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), null, List.of())
			.add(ResourceType.of(V1Deployment.class), null, List.of())
			.add(ResourceType.of(V1Node.class), null, List.of())
			.add(ResourceType.of(V1Pod.class), null, List.of());
		assertThat(manifest.toYaml("shop-informers")).isEqualTo("""
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: shop-informers
				rules:
				- apiGroups: [""]
				  resources: ["nodes", "pods"]
				  verbs: ["list", "watch"]
				- apiGroups: ["apps"]
				  resources: ["deployments"]
				  verbs: ["list", "watch"]
				""");
	}

	@Test
	void namespaces_requireRoleEach() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), null, List.of())
			.add(ResourceType.of(V1ConfigMap.class), null, List.of("shop", "bank"));
		assertThat(manifest.toYaml("x").split("---\n")).hasSize(3)
			.anyMatch((role) -> role.contains("kind: ClusterRole") && role.contains("\"pods\"")
					&& !role.contains("configmaps"))
			.anyMatch((role) -> role.contains("kind: Role") && role.contains("  namespace: shop\n")
					&& role.contains("[\"configmaps\"]"))
			.anyMatch((role) -> role.contains("  namespace: bank\n"));
	}

	@Test
	void namespaceSelector_requiresClusterRoleOnNamespaces_andRoleInEachThatMatches() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), "team=a", List.of("shop", "bank"));
		assertThat(manifest.toYaml("x").split("---\n")).hasSize(3)
			.anyMatch((role) -> role.contains("kind: ClusterRole") && role.contains("[\"namespaces\"]")
					&& !role.contains("pods"))
			.anyMatch((role) -> role.contains("kind: Role\n") && role.contains("  namespace: shop\n")
					&& role.contains("[\"pods\"]"))
			.anyMatch((role) -> role.contains("  namespace: bank\n"));
	}

	@Test
	void namespaceSelectorWithoutMatch_hasRoleWithoutNamespace() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), "team=a", List.of())
			.add(ResourceType.of(V1ConfigMap.class), "team=a", List.of());
		assertThat(manifest.toYaml("x")).isEqualTo("""
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: x
				rules:
				- apiGroups: [""]
				  resources: ["namespaces"]
				  verbs: ["list", "watch"]
				---
				# for each namespace that matches 'team=a': kubectl apply --namespace <name>
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: x-selected
				rules:
				- apiGroups: [""]
				  resources: ["configmaps", "pods"]
				  verbs: ["list", "watch"]
				""");
	}

	@Test
	void rolesOfSelectorsAndLeases_haveDifferentNames() {
		String manifest = new RbacManifest().addLease("shop", "leader")
			.add(ResourceType.of(V1Pod.class), "team=a", List.of())
			.add(ResourceType.of(V1ConfigMap.class), "team=b", List.of())
			.toYaml("x");
		assertThat(Stream.of(manifest.split("---\n"))
			.filter((document) -> document.contains("kind: Role\n"))
			.map((document) -> document.replaceAll("(?s).*\n  name: ([^\n]*).*", "$1")))
			.containsExactlyInAnyOrder("x", "x-selected", "x-selected-2");
	}

	@Test
	void selectorOfSeveralLines_isOneComment() {
		assertThat(new RbacManifest().add(ResourceType.of(V1Pod.class), "a=b,\n  c=d\n", List.of()).toYaml("x"))
			.contains("# for each namespace that matches 'a=b, c=d': kubectl apply --namespace <name>\n");
	}

	@Test
	void writes_requireTheirVerbs() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Deployment.class), null, List.of())
			.addWrites(ResourceType.of(V1Deployment.class), List.of(Operation.DELETE, Operation.APPLY), List.of())
			.addWrites(ResourceType.of(V1Pod.class), List.of(Operation.UPDATE_STATUS, Operation.UPDATE), List.of())
			.addWrites(ResourceType.of(V1ConfigMap.class), List.of(Operation.CREATE), List.of("shop"))
			.addWrites(ResourceType.of(V1ConfigMap.class), List.of(Operation.PATCH), List.of("shop"))
			.addWrites(ResourceType.of(V1Node.class), List.of(Operation.PATCH), List.of("shop"));
		assertThat(manifest.toYaml("shop-informers")).isEqualTo("""
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: shop-informers
				rules:
				- apiGroups: [""]
				  resources: ["nodes"]
				  verbs: ["patch"]
				- apiGroups: [""]
				  resources: ["pods", "pods/status"]
				  verbs: ["update"]
				- apiGroups: ["apps"]
				  resources: ["deployments"]
				  verbs: ["list", "watch", "create", "patch", "delete"]
				---
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: shop-informers
				  namespace: shop
				rules:
				- apiGroups: [""]
				  resources: ["configmaps"]
				  verbs: ["create", "patch"]
				""");
	}

	@Test
	void noInformers_giveEmptyManifest() {
		assertThat(new RbacManifest().toYaml("x")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "123", "0123", "0x1f", "0b10", "0o17", "1e3", "1-2", "12e03", "2026-01-01", "1.5", "true",
			"True", "FALSE", "null", "Null", "~", "yes", "NO", "on", "Off", "y", "n", "Y", ".inf", ".nan", "", "-",
			"a: b", "a #b", "- a", "*a", "&a", "!a", "%a", "@a", "`a", "'a'", "a\"b", "a\\nb", "{}", "[]", "=", "<<",
			"shop", "e3", "no-1" })
	void names_areTextsForYaml(String text) {
		RbacManifest manifest = new RbacManifest()
			.add(ResourceType.of(V1Pod.class), null, List.of(text.isEmpty() ? "0" : text))
			.addLease(text.isEmpty() ? "0" : text, text);
		Map<String, Object> role = new Yaml().load(manifest.toYaml(text));
		assertThat(role.get("metadata")).isEqualTo(Map.of("name", text, "namespace", text.isEmpty() ? "0" : text));
		assertThat(role.get("rules")).asString().contains("resourceNames=[" + text + "]");
	}

	@Test
	void selector_isOneComment() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), "team in (a,\u0085b:\u2028 c,\rd)",
				List.of());
		assertThat(manifest.toYaml("x").lines().toList())
			.contains("# for each namespace that matches 'team in (a, b: c, d)': kubectl apply --namespace <name>");
		assertThat(new Yaml().loadAll(manifest.toYaml("x"))).hasSize(2);
	}

}
