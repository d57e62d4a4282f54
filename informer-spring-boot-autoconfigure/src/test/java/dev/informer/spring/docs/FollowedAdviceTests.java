/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the advice of each failure analysis and of each message about the connection
 * is followed literally by a test, or that its remedy is outside of the application.
 */
class FollowedAdviceTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final String OUTSIDE = "outside: ";

	/** The entries of the page, with the class and the method of the test. */
	private static final List<Entry> ENTRIES = List.of(
			new Entry("requires Spring Boot 4", OUTSIDE + "the version of Spring Boot"),
			new Entry("No Kubernetes cluster was found for", "ConnectionAdviceTests#noCluster"),
			new Entry("No Kubernetes cluster found:", "ConnectionAdviceTests#noCluster"),
			new Entry("Cannot use kubeconfig", "KubeconfigAdviceTests#unknownNames"),
			new Entry("Property '...' cannot be used:", "PropertyAdviceTests#negativeDuration"),
			new Entry("Unknown properties of informers:", "PropertyAdviceTests#unknownKey"),
			new Entry("Method '...' of class", "HandlerAdviceTests#parameterThatIsNoResource_takesEachOfTheForms"),
			new Entry("No informer or lister can be given", "HandlerAdviceTests#nameOfAnotherInformer_isAQualifier"),
			new Entry("Cannot decode ...: ...", "HandlerAdviceTests#classThatCannotBeDecoded_isReplacedOrCorrected"),
			new Entry("Informer '...' failed permanently:", "StartupAdviceTests#rejectedSelector_isChanged"),
			new Entry("Required informers did not sync", "StartupAdviceTests#missingRights_areGrantedByTheManifest"),
			new Entry("Handlers did not receive the initial list",
					"StartupAdviceTests#handlerThatIsTooSlow_isNotWaitedFor"),
			new Entry("The API client was not created",
					"StartupAdviceTests#pluginThatHangs_isGivenMoreTimeOrNotWaitedFor"),
			new Entry("The bean '...' reads the cache",
					"NotSyncedFailureAnalyzerTests#readOnApplicationReady_readsCompleteCache"),
			new Entry("The cache of the informer '...' was read",
					"StartupAdviceTests#readOfCacheThatHasNotSynced_isAllowed"),
			new Entry("Cannot read the cache of informer", "StartupAdviceTests#unsyncedRead_isWaitedFor"),
			new Entry("this type belongs to the informers", "HandlerAdviceTests#typeOfTheOfficialClient_isImported"),
			new Entry("several beans match", "PropertyAdviceTests#untypedObjects"),
			new Entry("is not part of this application context", "WebMvcSliceTests#controller_readsCache"),
			new Entry("no such bean", "PropertyAdviceTests#unknownNameOfLister"),
			new Entry("cannot list ... (403", "StartupAdviceTests#missingRights_areGrantedByTheManifest"),
			new Entry("cannot watch ... (403", "StartupAdviceTests#missingRightToWatch_isGranted"),
			new Entry("(401 Unauthorized", "StartupAdviceTests#rejectedCredentials_areConfigured"),
			new Entry("(no credentials, Credential plugin", "KubeconfigAdviceTests#plugin"),
			new Entry("(no credentials, Cannot renew", OUTSIDE + "a new login of the user"),
			new Entry("(no credentials, Cannot read a token", "ConnectionAdviceTests#missingTokenFile"),
			new Entry("(404 Not Found", "StartupAdviceTests#missingCustomResource_isInstalledOrOptional"),
			new Entry("(400 Bad Request", "StartupAdviceTests#rejectedSelector_isChanged"),
			new Entry("(410 ...", OUTSIDE + "nothing to do"),
			new Entry("(429 ...", "StartupAdviceTests#overloadedServer_isNotWaitedFor"),
			new Entry("(API server unreachable", "StartupAdviceTests#unreachableServer_isStarted"),
			new Entry("unknown CA:", "ConnectionAdviceTests#unknownAuthority"),
			new Entry("the certificate of the server is for", "ConnectionAdviceTests#otherHost"),
			new Entry("client certificate required ...", "ConnectionAdviceTests#missingClientCertificate"),
			new Entry("connection closed after the TLS handshake", "ConnectionAdviceTests#missingClientCertificate"),
			new Entry("(TLS handshake failed, ...)", OUTSIDE + "the certificate of the server"),
			new Entry("user and password required by the proxy", "ConnectionAdviceTests#passwordThatTheProxyRejects"),
			new Entry("connection refused by the proxy", "ProxyServerTests#refusedConnection_isNamed"),
			new Entry("(no TLS, ...)", "ConnectionAdviceTests#wrongScheme"),
			new Entry("lost its watch of ... within a second", OUTSIDE + "the configuration of the proxy"),
			new Entry("(invalid response", "ConnectionAdviceTests#answerOfAnotherServer"),
			new Entry("Waiting for the slots of group", OUTSIDE + "the Leases of the group"),
			new Entry("could not decode", "HandlerAdviceTests#classThatCannotBeDecoded_isReplacedOrCorrected"));

	private static List<String> documented() {
		Page page = Page.of("docs/troubleshooting.md");
		return Stream.of("### Startup fails", "## Symptoms")
			.flatMap((section) -> page.table(section).stream())
			.map((row) -> row.get(0).replace("`", ""))
			.toList();
	}

	@Test
	void eachMessage_hasOneEntry() {
		assertThat(documented()).hasSize(ENTRIES.size())
			.allSatisfy((message) -> assertThat(ENTRIES).filteredOn((entry) -> message.contains(entry.fragment()))
				.as(message)
				.hasSize(1));
	}

	static List<Entry> eachEntry_namesATest() {
		return ENTRIES.stream().filter((entry) -> !entry.test().startsWith(OUTSIDE)).toList();
	}

	@ParameterizedTest
	@MethodSource
	void eachEntry_namesATest(Entry entry) {
		String[] names = entry.test().split("#");
		assertThat(source(names[0])).as(entry.test()).contains("\tvoid " + names[1] + "(");
	}

	private static String source(String type) {
		try (Stream<Path> files = Stream.of("informer-spring-boot-autoconfigure", "testing/integration-tests")
			.map((module) -> ROOT.resolve(module).resolve("src/test/java"))
			.flatMap(FollowedAdviceTests::walk)) {
			Path file = files.filter((each) -> each.endsWith(type + ".java")).findFirst().orElseThrow();
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> walk(Path folder) {
		try {
			return Files.walk(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Message with the test that follows its advice.
	 *
	 * @param fragment a part of the documented message
	 * @param test the class and the method
	 */
	record Entry(String fragment, String test) {

	}

}
