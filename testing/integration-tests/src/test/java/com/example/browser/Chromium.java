/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A browser without a window, which reaches nothing but this machine. Not thread-safe.
 */
public final class Chromium implements AutoCloseable {

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static final Logger logger = Logger.getLogger("org.openqa.selenium");

	private final ChromeDriver driver;

	private Chromium(ChromeDriver driver) {
		this.driver = driver;
	}

	static Chromium start() {
		logger.setLevel(Level.SEVERE);
		BrowserPrograms programs = BrowserPrograms.find();
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(programs.driver().toFile())
			.usingAnyFreePort()
			.build();
		return new Chromium(new ChromeDriver(service, options(programs.browser())));
	}

	private static ChromeOptions options(Path browser) {
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(browser.toFile());
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		options.addArguments("--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
				"--disable-background-networking", "--no-first-run", "--lang=en",
				"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1");
		if ("root".equals(System.getProperty("user.name"))) {
			options.addArguments("--no-sandbox");
		}
		return options;
	}

	/**
	 * Opens a page in light colours.
	 * @param url where it is
	 * @param width how wide the window is, in pixels
	 * @param height how high it is
	 */
	public void open(String url, int width, int height) {
		this.driver.manage().window().setSize(new Dimension(width, height));
		colours("light");
		console();
		this.driver.get(url);
	}

	/**
	 * Says which colours the page is to have.
	 * @param scheme {@code light} or {@code dark}
	 */
	public void colours(String scheme) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	/**
	 * Finds elements of the page.
	 * @param css what selects them
	 * @return the elements, in the order of the page
	 */
	public List<WebElement> all(String css) {
		return this.driver.findElements(By.cssSelector(css));
	}

	/**
	 * Finds the first of such elements.
	 * @param css what selects it
	 * @return the element
	 */
	public WebElement one(String css) {
		return this.driver.findElement(By.cssSelector(css));
	}

	/**
	 * Runs a script in the page.
	 * @param script the script
	 * @return what it returns
	 */
	public String run(String script) {
		return String.valueOf(((JavascriptExecutor) this.driver).executeScript(script));
	}

	/**
	 * What the page has said on the browser's console since the last call: errors of its
	 * scripts, and what was not let through or not found.
	 * @return the messages
	 */
	public List<String> console() {
		return this.driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::getMessage).toList();
	}

	/**
	 * Writes what there is to be seen to a file in {@code target/screenshots}.
	 * @param name the name of the file, without its ending
	 * @return the file
	 */
	public Path screenshot(String name) {
		try {
			Files.createDirectories(SCREENSHOTS);
			return Files.write(SCREENSHOTS.resolve(name + ".png"), this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Leaves the page, which ends its connections.
	 */
	void leavePage() {
		this.driver.get("about:blank");
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
