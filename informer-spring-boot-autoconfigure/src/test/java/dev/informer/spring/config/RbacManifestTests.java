/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.informer.InformerOptions;
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
	void informerThatPolls_needsNoWatch() {
		InformerOptions polling = new InformerOptions.Builder(InformerOptions.DEFAULT).watch(false).build();
		assertThat(new RbacManifest().add(ResourceType.of(V1Pod.class), polling, List.of()).toYaml("x"))
			.contains("verbs: [list]");
	}

	@Test
	void allNamespaces_requireClusterRole() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, List.of())
			.add(ResourceType.of(V1Deployment.class), InformerOptions.DEFAULT, List.of())
			.add(ResourceType.of(V1Node.class), InformerOptions.DEFAULT, List.of())
			.add(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, List.of());
		assertThat(manifest.toYaml("shop-informers")).isEqualTo("""
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: shop-informers
				rules:
				- apiGroups: ['']
				  resources: [nodes, pods]
				  verbs: [list, watch]
				- apiGroups: [apps]
				  resources: [deployments]
				  verbs: [list, watch]
				""");
	}

	@Test
	void namespaces_requireRoleEach() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, List.of())
			.add(ResourceType.of(V1ConfigMap.class), InformerOptions.DEFAULT, List.of("shop", "bank"));
		assertThat(manifest.toYaml("x").split("---\n")).hasSize(3)
			.anyMatch((role) -> role.contains("kind: ClusterRole") && role.contains("[pods]")
					&& !role.contains("configmaps"))
			.anyMatch((role) -> role.contains("kind: Role") && role.contains("  namespace: shop\n")
					&& role.contains("[configmaps]"))
			.anyMatch((role) -> role.contains("  namespace: bank\n"));
	}

	@Test
	void namespaceSelector_requiresClusterRoleOnNamespaces_andRoleInEachThatMatches() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), selecting("team=a"),
				List.of("shop", "bank"));
		assertThat(manifest.toYaml("x").split("---\n")).hasSize(3)
			.anyMatch((role) -> role.contains("kind: ClusterRole") && role.contains("[namespaces]")
					&& !role.contains("pods"))
			.anyMatch((role) -> role.contains("kind: Role\n") && role.contains("  namespace: shop\n")
					&& role.contains("[pods]"))
			.anyMatch((role) -> role.contains("  namespace: bank\n"));
	}

	@Test
	void namespaceSelectorWithoutMatch_hasRoleWithoutNamespace() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), selecting("team=a"), List.of())
			.add(ResourceType.of(V1ConfigMap.class), selecting("team=a"), List.of());
		assertThat(manifest.toYaml("x")).isEqualTo("""
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: x
				rules:
				- apiGroups: ['']
				  resources: [namespaces]
				  verbs: [list, watch]
				---
				# for each namespace that matches 'team=a': kubectl apply --namespace <name>
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: x-selected
				rules:
				- apiGroups: ['']
				  resources: [configmaps, pods]
				  verbs: [list, watch]
				""");
	}

	@Test
	void rolesOfSelectorsAndLeases_haveDifferentNames() {
		String manifest = new RbacManifest().addLease("shop", "leader")
			.add(ResourceType.of(V1Pod.class), selecting("team=a"), List.of())
			.add(ResourceType.of(V1ConfigMap.class), selecting("team=b"), List.of())
			.toYaml("x");
		assertThat(Stream.of(manifest.split("---\n"))
			.filter((document) -> document.contains("kind: Role\n"))
			.map((document) -> document.replaceAll("(?s).*\n  name: ([^\n]*).*", "$1")))
			.containsExactlyInAnyOrder("x", "x-selected", "x-selected-2");
	}

	@Test
	void selectorOfSeveralLines_isOneComment() {
		assertThat(
				new RbacManifest().add(ResourceType.of(V1Pod.class), selecting("a=b,\n  c=d\n"), List.of()).toYaml("x"))
			.contains("# for each namespace that matches 'a=b, c=d': kubectl apply --namespace <name>\n");
	}

	@Test
	void writes_requireTheirVerbs() {
		RbacManifest manifest = new RbacManifest()
			.add(ResourceType.of(V1Deployment.class), InformerOptions.DEFAULT, List.of())
			.addWrites(ResourceType.of(V1Deployment.class), List.of(Operation.DELETE, Operation.APPLY), List.of(),
					false)
			.addWrites(ResourceType.of(V1Pod.class), List.of(Operation.UPDATE_STATUS, Operation.UPDATE), List.of(),
					false)
			.addWrites(ResourceType.of(V1ConfigMap.class), List.of(Operation.CREATE), List.of("shop"), false)
			.addWrites(ResourceType.of(V1ConfigMap.class), List.of(Operation.PATCH), List.of("shop"), false)
			.addWrites(ResourceType.of(V1Node.class), List.of(Operation.PATCH), List.of("shop"), false);
		assertThat(manifest.toYaml("shop-informers")).isEqualTo("""
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: shop-informers
				rules:
				- apiGroups: ['']
				  resources: [nodes]
				  verbs: [patch]
				- apiGroups: ['']
				  resources: [pods, pods/status]
				  verbs: [update]
				- apiGroups: [apps]
				  resources: [deployments]
				  verbs: [list, watch, create, patch, delete]
				---
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: shop-informers
				  namespace: shop
				rules:
				- apiGroups: ['']
				  resources: [configmaps]
				  verbs: [create, patch]
				""");
	}

	@Test
	void applyWithOwner_listsTheObject() {
		List<Operation> operations = List.of(Operation.APPLY, Operation.DELETE);
		assertThat(new RbacManifest().addWrites(ResourceType.of(V1Pod.class), operations, List.of(), true).toYaml("x"))
			.contains("verbs: [list, create, patch, delete]");
		assertThat(
				new RbacManifest().addWrites(ResourceType.of(V1Pod.class), List.of(Operation.CREATE), List.of(), true)
					.toYaml("x"))
			.contains("verbs: [create]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "metadata.name=web-1", "metadata.name==web-1", "status.phase=Running,metadata.name=web-1",
			"metadata.name=web-1,spec.nodeName!=a" })
	void selectorOfName_limitsTheRule(String selector) {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class), fields(selector), List.of("shop"))
			.add(ResourceType.of(V1ConfigMap.class), InformerOptions.DEFAULT, List.of("shop"))
			.add(ResourceType.of(V1Pod.class), fields("metadata.name=web-2"), List.of("shop"));
		assertThat(manifest.toYaml("x")).isEqualTo("""
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: x
				  namespace: shop
				rules:
				- apiGroups: ['']
				  resources: [pods]
				  resourceNames: [web-1, web-2]
				  verbs: [list, watch]
				- apiGroups: ['']
				  resources: [configmaps]
				  verbs: [list, watch]
				""");
	}

	@ParameterizedTest
	@ValueSource(strings = { "metadata.name!=web-1", "metadata.namespace=web-1", "spec.metadata.name=web-1",
			"metadata.name=", "metadata.name=a\\\\,b", "metadata.name=*" })
	void otherSelectors_limitNothing(String selector) {
		assertThat(new RbacManifest().add(ResourceType.of(V1Pod.class), fields(selector), List.of()).toYaml("x"))
			.isEqualTo(new RbacManifest().add(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, List.of())
				.toYaml("x"));
	}

	@Test
	void ruleOfName_isWithoutTheVerbsOnAllObjects() {
		RbacManifest manifest = new RbacManifest()
			.add(ResourceType.of(V1Pod.class), fields("metadata.name=web-1"), List.of())
			.addWrites(ResourceType.of(V1Pod.class), List.of(Operation.APPLY), List.of(), true);
		assertThat(manifest.toYaml("x")).endsWith("""
				rules:
				- apiGroups: ['']
				  resources: [pods]
				  resourceNames: [web-1]
				  verbs: [watch]
				- apiGroups: ['']
				  resources: [pods]
				  verbs: [list, create, patch]
				""");
		assertThat(new RbacManifest().addLease("shop", "leader").addLeases("shop").toYaml("x"))
			.isEqualTo(new RbacManifest().addLeases("shop").toYaml("x"));
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
			.add(ResourceType.of(V1Pod.class), InformerOptions.DEFAULT, List.of(text.isEmpty() ? "0" : text))
			.addLease(text.isEmpty() ? "0" : text, text);
		Map<String, Object> role = new Yaml().load(manifest.toYaml(text));
		assertThat(role.get("metadata")).isEqualTo(Map.of("name", text, "namespace", text.isEmpty() ? "0" : text));
		assertThat(role.get("rules")).asString().contains("resourceNames=[" + text + "]");
	}

	@Test
	void selector_isOneComment() {
		RbacManifest manifest = new RbacManifest().add(ResourceType.of(V1Pod.class),
				selecting("team in (a,\u0085b:\u2028 c,\rd)"), List.of());
		assertThat(manifest.toYaml("x").lines().toList())
			.contains("# for each namespace that matches 'team in (a, b: c, d)': kubectl apply --namespace <name>");
		assertThat(new Yaml().loadAll(manifest.toYaml("x"))).hasSize(2);
	}

	private static InformerOptions fields(String selector) {
		return new InformerOptions.Builder(InformerOptions.DEFAULT).fieldSelector(selector).build();
	}

	private static InformerOptions selecting(String namespaceSelector) {
		return new InformerOptions.Builder(InformerOptions.DEFAULT).namespaceSelector(namespaceSelector).build();
	}

}
