/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.compatibility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.informer.InformerFactory;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.test.Listers;
import dev.informer.test.EmbeddedKubernetes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the published classes use only what exists in the oldest supported version
 * of client-java, and in the OkHttp of that version. The build compiles with the newest
 * one, and Spring Cloud manages older ones. Maven copies the old libraries.
 */
class OldestClientTests {

	private static final Path LIBRARIES = Path.of("target", "oldest-client");

	private static final List<String> PACKAGES = List.of("io/kubernetes/client/", "okhttp3/", "okio/");

	private static final int CLASS = 7;

	private static final int FIELD = 9;

	private static final int INTERFACE_METHOD = 11;

	private static final Map<String, OldClass> OLD = new HashMap<>();

	@BeforeAll
	static void readLibraries() throws IOException {
		try (Stream<Path> libraries = Files.list(LIBRARIES)) {
			for (Path library : libraries.toList()) {
				readClasses(library, (reader) -> OLD.put(reader.getClassName(), OldClass.of(reader)));
			}
		}
		assertThat(OLD).containsKeys("io/kubernetes/client/util/ClientBuilder",
				"io/kubernetes/client/openapi/models/V1Pod", "okhttp3/OkHttpClient", "okio/Buffer");
	}

	@ParameterizedTest
	@ValueSource(classes = { InformerFactory.class, InformerRegistry.class, EmbeddedKubernetes.class, Listers.class })
	void module_usesOnlyWhatTheOldestClientHas(Class<?> typeOfModule) throws Exception {
		Set<String> classes = new HashSet<>();
		List<String> missing = new ArrayList<>();
		readClasses(location(typeOfModule), (reader) -> {
			classes.add(reader.getClassName());
			references(reader).stream()
				.filter((reference) -> !exists(reference))
				.forEach((reference) -> missing.add(reader.getClassName() + " uses " + reference));
		});
		assertThat(classes).contains(typeOfModule.getName().replace('.', '/'));
		assertThat(missing).isEmpty();
	}

	private static Path location(Class<?> type) throws URISyntaxException {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
	}

	private static void readClasses(Path library, Consumer<ClassReader> consumer) throws IOException {
		if (Files.isDirectory(library)) {
			readClassesBelow(library, consumer);
			return;
		}
		try (FileSystem jar = FileSystems.newFileSystem(library)) {
			readClassesBelow(jar.getPath("/"), consumer);
		}
	}

	private static void readClassesBelow(Path folder, Consumer<ClassReader> consumer) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			files.filter((file) -> file.toString().endsWith(".class"))
				.filter((file) -> !file.endsWith("module-info.class") && !file.toString().contains("META-INF"))
				.forEach((file) -> consumer.accept(reader(file)));
		}
	}

	private static ClassReader reader(Path file) {
		try {
			return new ClassReader(Files.readAllBytes(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the classes of the libraries that a class uses, as {@code owner}, and their
	 * fields and methods, as {@code owner.name descriptor}: the entries of its constant
	 * pool.
	 */
	private static Set<String> references(ClassReader reader) {
		Set<String> references = new HashSet<>();
		char[] buffer = new char[reader.getMaxStringLength()];
		for (int index = 1; index < reader.getItemCount(); index++) {
			int item = reader.getItem(index);
			// the second half of a long or double has no offset
			int tag = (item != 0) ? reader.readByte(item - 1) : 0;
			if (tag == CLASS) {
				references.add(elementType(reader.readUTF8(item, buffer)));
			}
			else if (tag >= FIELD && tag <= INTERFACE_METHOD) {
				int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
				references.add(elementType(reader.readClass(item, buffer)) + "." + reader.readUTF8(nameAndType, buffer)
						+ " " + reader.readUTF8(nameAndType + 2, buffer));
			}
		}
		references.removeIf((reference) -> PACKAGES.stream().noneMatch(reference::startsWith));
		return references;
	}

	private static String elementType(String name) {
		return name.startsWith("[") ? name.replaceFirst("^\\[+L(.*);$", "$1") : name;
	}

	private static boolean exists(String reference) {
		int dot = reference.indexOf('.');
		return (dot < 0) ? OLD.containsKey(reference)
				: hasMember(reference.substring(0, dot), reference.substring(dot + 1));
	}

	private static boolean hasMember(@Nullable String type, String member) {
		if (type == null) {
			return false;
		}
		if (!OLD.containsKey(type)) {
			// the JDK has had everything for longer
			return type.startsWith("java/") && jdkHasMember(type, member.substring(0, member.indexOf(' ')));
		}
		OldClass old = OLD.get(type);
		return old.members().contains(member) || hasMember(old.superclass(), member)
				|| old.interfaces().stream().anyMatch((parent) -> hasMember(parent, member))
				|| hasMember("java/lang/Object", member);
	}

	private static boolean jdkHasMember(String type, String name) {
		try {
			return Stream.of(Class.forName(type.replace('/', '.')).getMethods())
				.anyMatch((method) -> method.getName().equals(name));
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	/**
	 * Class of the old libraries.
	 *
	 * @param superclass the name of the superclass
	 * @param interfaces the names of the interfaces
	 * @param members the fields and methods, as {@code name descriptor}
	 */
	private record OldClass(@Nullable String superclass, List<String> interfaces, Set<String> members) {

		static OldClass of(ClassReader reader) {
			Set<String> members = new HashSet<>();
			reader.accept(new ClassVisitor(SpringAsmInfo.ASM_VERSION) {

				@Override
				public @Nullable FieldVisitor visitField(int access, String name, String descriptor,
						@Nullable String signature, @Nullable Object value) {
					members.add(name + " " + descriptor);
					return null;
				}

				@Override
				public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
						@Nullable String signature, String @Nullable [] exceptions) {
					members.add(name + " " + descriptor);
					return null;
				}

			}, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			return new OldClass(reader.getSuperName(), List.of(reader.getInterfaces()), members);
		}

	}

}
