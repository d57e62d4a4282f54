/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.modular;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

import dev.informer.InformerFactory;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ResourceDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for an application on the module path, on which Surefire runs them.
 */
class ModularApplicationTests {

	private static final Module INFORMER = InformerFactory.class.getModule();

	@Test
	void informersOnModulePath_readModelsAndClassesOfOpenPackages() throws InterruptedException {
		assertThat(ModularApplication.class.getModule().getName()).isEqualTo("com.example.modular");
		assertThat(INFORMER.getName()).isEqualTo("dev.informer");
		assertThat(INFORMER.getDescriptor().isAutomatic()).isFalse();
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
			kubernetes.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata",
					Map.of("namespace", "default", "name", "web-1"), "spec",
					Map.of("containers", List.of(Map.of("name", "web", "image", "web")))));
			kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
					Map.of("namespace", "default", "name", "acme"), "plan", "gold"));
			assertThat(ModularApplication.list(kubernetes.url())).containsExactlyInAnyOrder("web-1", "gold");
		}
	}

	@Test
	void internalPackage_isInvisibleToTheCompiler(@TempDir Path folder) throws Exception {
		assertThat(compile(folder, "dev.informer.InformerFactory")).isEmpty();
		assertThat(compile(folder, "dev.informer.controller.DefaultInformerFactory"))
			.contains("package dev.informer.controller is declared in module dev.informer, which does not export it");
		assertThat(compile(folder, "dev.informer.cache.Indexer")).contains("which does not export it to module user");
		assertThat(compile(folder, "dev.informer.client.json.JsonWireFormat"))
			.contains("which does not export it to module user");
	}

	@Test
	void internalPackage_isInaccessibleByReflection() throws Exception {
		Class<?> type = Class.forName("dev.informer.controller.DefaultInformerFactory");
		Constructor<?> constructor = type.getDeclaredConstructors()[0];
		assertThatExceptionOfType(InaccessibleObjectException.class).isThrownBy(() -> constructor.setAccessible(true))
			.withMessageContaining("module dev.informer does not \"exports dev.informer.controller\"");
	}

	/**
	 * Compile a module that imports a type, and return the messages of the compiler.
	 */
	private static String compile(Path folder, String type) throws Exception {
		Path module = Files.writeString(folder.resolve("module-info.java"), "module user { requires dev.informer; }");
		Path user = Files.writeString(folder.resolve("User.java"), "package user; class User { " + type + " value; }");
		StringWriter messages = new StringWriter();
		PrintWriter out = new PrintWriter(messages);
		ToolProvider.findFirst("javac")
			.orElseThrow()
			.run(out, out, "-p", System.getProperty("jdk.module.path"), "-d", folder.toString(), module.toString(),
					user.toString());
		return messages.toString();
	}

}
