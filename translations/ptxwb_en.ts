<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ptxwb::BuildDisplay</name>
    <message numerus="yes">
        <source>✗ Does not compile: %n error(s)</source>
        <translation>
            <numerusform>✗ Does not compile: %n error</numerusform>
            <numerusform>✗ Does not compile: %n errors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::FindBar</name>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n replaced</source>
        <translation>
            <numerusform>%n replaced</numerusform>
            <numerusform>%n replaced</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::MessageView</name>
    <message numerus="yes">
        <source>Reasoning (%n characters)</source>
        <translation>
            <numerusform>Reasoning (%n character)</numerusform>
            <numerusform>Reasoning (%n characters)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::ResourcesStrip</name>
    <message numerus="yes">
        <source>%n register(s)</source>
        <translation>
            <numerusform>%n register</numerusform>
            <numerusform>%n registers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n barrier(s)</source>
        <translation>
            <numerusform>%n barrier</numerusform>
            <numerusform>%n barriers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1   (+%n more)</source>
        <translation>
            <numerusform>%1   (+%n more)</numerusform>
            <numerusform>%1   (+%n more)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::SpeedupPane</name>
    <message numerus="yes">
        <source>medians: %1 µs, library %2 µs; %n paired round(s)</source>
        <translation>
            <numerusform>medians: %1 µs, library %2 µs; %n paired round</numerusform>
            <numerusform>medians: %1 µs, library %2 µs; %n paired rounds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ptxwb::TaskDetails</name>
    <message numerus="yes">
        <source>Paper&apos;s rule: an element is wrong where its absolute error exceeds %1 and its relative error exceeds %2; a trial needs %3 % right elements; %n trial(s).</source>
        <translation>
            <numerusform>Paper&apos;s rule: an element is wrong where its absolute error exceeds %1 and its relative error exceeds %2; a trial needs %3 % right elements; %n trial.</numerusform>
            <numerusform>Paper&apos;s rule: an element is wrong where its absolute error exceeds %1 and its relative error exceeds %2; a trial needs %3 % right elements; %n trials.</numerusform>
        </translation>
    </message>
</context>
</TS>
