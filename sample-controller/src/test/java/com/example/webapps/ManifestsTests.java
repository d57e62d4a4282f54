/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.io.File;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.spring.boot.autoconfigure.endpoint.InformerRbacEndpoint;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test of the manifests, without a server.
 */
@SpringBootTest(properties = { "informer.auto-startup=false", "informer.connection.url=https://localhost",
		"informer.connection.namespace=default" })
class ManifestsTests {

	@Test
	void rights_areThoseOfTheEndpoint(@Autowired InformerRbacEndpoint endpoint) throws IOException {
		Set<String> needed = rights(Yaml.loadAll(endpoint.manifest()));
		assertThat(rights(Yaml.loadAll(new File("k8s/rbac.yaml")))).isEqualTo(needed);
	}

	private static Set<String> rights(Iterable<Object> manifest) {
		Set<String> rights = new TreeSet<>();
		for (Object object : manifest) {
			if (object instanceof V1ClusterRole role) {
				role.getRules().forEach((rule) -> add("ClusterRole", rule, rights));
			}
			if (object instanceof V1Role role) {
				role.getRules().forEach((rule) -> add("Role", rule, rights));
			}
		}
		return rights;
	}

	private static void add(String kind, V1PolicyRule rule, Set<String> rights) {
		rule.getVerbs()
			.forEach((verb) -> rule.getResources()
				.forEach((resource) -> rights.add("%s: %s %s.%s %s".formatted(kind, verb, resource,
						rule.getApiGroups().get(0), rule.getResourceNames()))));
	}

}
